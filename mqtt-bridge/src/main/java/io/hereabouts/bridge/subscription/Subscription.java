package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of one client: MQTT's (client, topic filter), and the neighborhood it names if it names one.
 *
 * @param share {@link ShareName#NONE} if the client gets all that matches
 * @param id the client's {@code neighborhood-id}, or the neighborhood if it chose none; empty for a plain subscription
 * @param neighborhood what is subscribed; {@link NeighborhoodId#EVERYWHERE} for a plain subscription
 * @param descriptor canonical; empty for a plain subscription
 * @param options what MQTT lets a client choose
 */
public record Subscription(
        String client,
        TopicFilter topicFilter,
        ShareName share,
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
    public record Key(String client, SubscribedFilter filter, String id) {}

    /** One that is not shared. */
    public Subscription(
            String client,
            TopicFilter topicFilter,
            String id,
            NeighborhoodId neighborhood,
            String descriptor,
            Options options) {
        this(client, topicFilter, ShareName.NONE, id, neighborhood, descriptor, options);
    }

    /** A subscription without neighborhood. */
    public static Subscription plain(String client, TopicFilter topicFilter, Options options) {
        return new Subscription(client, topicFilter, "", NeighborhoodId.EVERYWHERE, "", options);
    }

    public Key key() {
        return new Key(client, filter(), id);
    }

    public boolean isPlain() {
        return neighborhood.isEverywhere();
    }

    /** Whether its client is one of a group, of which one gets what matches. */
    public boolean isShared() {
        return !share.isNone();
    }

    /** As the client named it. */
    public SubscribedFilter filter() {
        return new SubscribedFilter(share, topicFilter);
    }

    /**
     * The group that its client is one of.
     *
     * @throws IllegalArgumentException if it is not shared
     */
    public Group group() {
        return new Group(neighborhood, filter());
    }

    /** What deliveries for it are called: its neighborhood's handle, or its group's. */
    public long handle() {
        return isShared() ? group().handle() : neighborhood.handle();
    }

    /** Whether the same deliveries are for both: they have the neighborhood, or the group, in common. */
    boolean isServedAs(Subscription other) {
        return neighborhood.equals(other.neighborhood)
                && share.equals(other.share)
                && (!isShared() || topicFilter.equals(other.topicFilter));
    }

    /** The topic filter under which the broker keeps it. */
    public String brokerFilter() {
        return brokerTopic(topicFilter.value());
    }

    /** The topic under which the broker delivers what was published on this one. */
    public String brokerTopic(String topic) {
        return isPlain() ? topic : HiddenTopics.hide(client, share, id, topic);
    }

    /** What this edge asks of the resolver so that the subscription is served. */
    public Interest interest(EdgeId edge) {
        return new Interest(neighborhood, topicFilter, share, edge);
    }
}
