package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of one client: MQTT's (client, topic filter), and the neighborhood it names if it names one.
 *
 * @param id the client's {@code neighborhood-id}, or the neighborhood if it chose none; empty for a plain subscription
 * @param neighborhood what is subscribed; {@link NeighborhoodId#EVERYWHERE} for a plain subscription
 * @param descriptor canonical; empty for a plain subscription
 * @param options what MQTT lets a client choose
 */
public record Subscription(
        String client,
        TopicFilter topicFilter,
        String id,
        NeighborhoodId neighborhood,
        String descriptor,
        Options options) {

    /**
     * @param qos granted, 0 to 2
     * @param retainHandling 0 to 2
     * @param identifier MQTT's subscription identifier
     */
    public record Options(
            int qos, boolean noLocal, boolean retainAsPublished, int retainHandling, @Nullable Integer identifier) {}

    /** What makes a subscription replace another. */
    public record Key(String client, TopicFilter topicFilter, String id) {}

    /** A subscription without neighborhood. */
    public static Subscription plain(String client, TopicFilter topicFilter, Options options) {
        return new Subscription(client, topicFilter, "", NeighborhoodId.EVERYWHERE, "", options);
    }

    public Key key() {
        return new Key(client, topicFilter, id);
    }

    public boolean isPlain() {
        return neighborhood.isEverywhere();
    }

    /** The topic filter under which the broker keeps it. */
    public String brokerFilter() {
        return isPlain() ? topicFilter.value() : HiddenTopics.hide(id, topicFilter.value());
    }

    /** What this edge asks of the resolver so that the subscription is served. */
    public Interest interest(EdgeId edge) {
        return new Interest(neighborhood, topicFilter, edge);
    }
}
