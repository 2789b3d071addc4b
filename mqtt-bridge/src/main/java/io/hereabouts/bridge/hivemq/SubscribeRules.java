package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.subscribe.RetainHandling;
import com.hivemq.extension.sdk.api.packets.subscribe.SubscribePacket;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides on each topic filter of a SUBSCRIBE. A user property belongs to the packet: it goes for all of them. */
final class SubscribeRules {

    /** What to do with a topic filter. */
    sealed interface Decision permits Neighborhood, Plain, Status, Unserved, PassOn, Refuse {}

    /** It asks for a neighborhood. */
    record Neighborhood(Subscription wanted) implements Decision {}

    /** It is plain MQTT and gets spatial publications too. */
    record Plain(Subscription wanted) implements Decision {}

    /** It asks what becomes of the client's neighborhoods. */
    record Status(TopicFilter filter) implements Decision {}

    /** It is plain MQTT and gets no spatial publications. */
    record Unserved(String reason) implements Decision {}

    /** It is HiveMQ's business alone. */
    record PassOn() implements Decision {}

    /** @param reason tag of the counter */
    record Refuse(String reason, int code, String text) implements Decision {}

    /** Whether the client may subscribe. */
    interface Permitted {
        boolean test(String topicFilter, int qos);
    }

    /** Whether the security file grants the client a subscription; the neighborhood is empty for a plain one. */
    interface Granted {
        boolean test(TopicFilter topicFilter, Optional<NeighborhoodDescriptor> neighborhood);
    }

    private static final int IMPLEMENTATION_SPECIFIC = 0x83;
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int TOPIC_FILTER_INVALID = 0x8F;
    private static final int MAX_TOPIC_FILTER_BYTES = 65_535;
    private static final int HIDING_BYTES = HiddenTopics.hide("", "", "").length();

    private final UserPropertyNames names;
    private final DescriptorParser descriptors;
    private final String client;
    private final Permitted permitted;
    private final Granted granted;

    SubscribeRules(
            UserPropertyNames names,
            DescriptorParser descriptors,
            String client,
            Permitted permitted,
            Granted granted) {
        this.granted = granted;
        this.names = names;
        this.descriptors = descriptors;
        this.client = client;
        this.permitted = permitted;
    }

    /** A decision for each topic filter, in order. */
    List<Decision> decide(SubscribePacket packet) {
        List<com.hivemq.extension.sdk.api.packets.subscribe.Subscription> filters = packet.getSubscriptions();
        List<Decision> decisions = new ArrayList<>(filters.size());
        if (filters.stream().anyMatch(f -> isMalformed(f.getTopicFilter()))) {
            // HiveMQ may disconnect the client, and that only after the authorizers: nothing may be set going, and what
            // HiveMQ takes for well-formed must not get past the rules.
            filters.forEach(f -> decisions.add(new Refuse(
                    "malformed_topic_filter", TOPIC_FILTER_INVALID, "a topic filter of the packet is malformed")));
            return decisions;
        }
        List<String> texts = packet.getUserProperties().getAllForName(names.neighborhood());
        List<String> ids = packet.getUserProperties().getAllForName(names.neighborhoodId());
        Asking asking = asking(texts, ids);
        for (com.hivemq.extension.sdk.api.packets.subscribe.Subscription f : filters) {
            Subscription.Options options = new Subscription.Options(
                    f.getQos().getQosNumber(),
                    f.getNoLocal(),
                    f.getRetainAsPublished(),
                    retainHandling(f.getRetainHandling()),
                    packet.getSubscriptionIdentifier().orElse(null));
            decisions.add(decide(f.getTopicFilter(), options, asking));
        }
        return decisions;
    }

    /** What the packet's properties ask for. */
    private sealed interface Asking permits AskPlain, AskNeighborhood, AskBadly {}

    private record AskPlain() implements Asking {}

    private record AskNeighborhood(String id, NeighborhoodDescriptor descriptor) implements Asking {}

    private record AskBadly(Refuse refuse) implements Asking {}

    private Asking asking(List<String> texts, List<String> ids) {
        if (texts.isEmpty()) {
            return ids.isEmpty()
                    ? new AskPlain()
                    : badly("no_neighborhood", names.neighborhoodId() + ": given without " + names.neighborhood());
        }
        if (texts.size() > 1) {
            return badly("second_neighborhood", names.neighborhood() + ": expected one, found " + texts.size());
        }
        if (ids.size() > 1) {
            return badly("second_neighborhood_id", names.neighborhoodId() + ": expected one, found " + ids.size());
        }
        if (!ids.isEmpty() && ids.get(0).isEmpty()) {
            return badly("empty_neighborhood_id", names.neighborhoodId() + ": is empty");
        }
        try {
            NeighborhoodDescriptor descriptor = descriptors.parse(texts.get(0));
            return new AskNeighborhood(ids.isEmpty() ? descriptor.id().value() : ids.get(0), descriptor);
        } catch (InvalidDescriptorException e) {
            return badly("descriptor", names.neighborhood() + ": " + e.getMessage());
        }
    }

    private Decision decide(String filter, Subscription.Options options, Asking asking) {
        SubscribedFilter subscribed = SubscribedFilter.parse(filter);
        TopicFilter inner = subscribed.topicFilter();
        boolean shared = !subscribed.share().isNone();
        boolean status = HiddenTopics.isStatus(inner.value());
        if (HiddenTopics.isHidden(inner.value()) || (shared && status)) {
            return new Refuse(
                    "hidden_topic",
                    TOPIC_FILTER_INVALID,
                    filter + ": topics below " + HiddenTopics.ROOT + " are internal, but for those below "
                            + HiddenTopics.STATUS + " without $share");
        }
        if (asking instanceof AskBadly bad) {
            return bad.refuse();
        }
        int levels = inner.levels();
        if (levels > TopicFilter.MAX_LEVELS) {
            return new Refuse(
                    "deep_topic_filter",
                    TOPIC_FILTER_INVALID,
                    "topic filter has " + levels + " levels, the limit is " + TopicFilter.MAX_LEVELS);
        }
        if (!permitted.test(filter, options.qos())) {
            return new Refuse("not_authorized", NOT_AUTHORIZED, "not authorized to subscribe to " + filter);
        }
        if (status) {
            return new Status(inner);
        }
        Optional<NeighborhoodDescriptor> neighborhood =
                asking instanceof AskNeighborhood ask ? Optional.of(ask.descriptor()) : Optional.empty();
        if (!granted.test(inner, neighborhood)) {
            return new Refuse(
                    "not_authorized",
                    NOT_AUTHORIZED,
                    "not authorized to subscribe to " + filter
                            + (neighborhood.isPresent() ? " in this neighborhood" : " without a neighborhood"));
        }
        if (asking instanceof AskNeighborhood ask) {
            return neighborhood(subscribed, options, ask);
        }
        if (shared) {
            return new Unserved("shared");
        }
        return filter.startsWith("$") ? new PassOn() : new Plain(Subscription.plain(client, inner, options));
    }

    private Decision neighborhood(SubscribedFilter filter, Subscription.Options options, AskNeighborhood ask) {
        int bytes = filter.text().getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
        if (bytes + HIDING_BYTES > MAX_TOPIC_FILTER_BYTES) {
            return new Refuse(
                    "long_topic_filter",
                    TOPIC_FILTER_INVALID,
                    "topic filter has " + bytes + " bytes, the limit with " + names.neighborhood() + " is "
                            + (MAX_TOPIC_FILTER_BYTES - HIDING_BYTES));
        }
        return new Neighborhood(new Subscription(
                client,
                filter.topicFilter(),
                filter.share(),
                ask.id(),
                ask.descriptor().id(),
                ask.descriptor().canonicalText(),
                options));
    }

    private static int retainHandling(RetainHandling handling) {
        return switch (handling) {
            case SEND -> 0;
            case SEND_IF_NEW_SUBSCRIPTION -> 1;
            case DO_NOT_SEND -> 2;
        };
    }

    private static AskBadly badly(String reason, String text) {
        return new AskBadly(new Refuse(reason, IMPLEMENTATION_SPECIFIC, text));
    }

    private static boolean isMalformed(String filter) {
        try {
            SubscribedFilter.parse(filter);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
