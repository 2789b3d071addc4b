package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;

/** A subscription as the Kafka topic {@code subscriptions} has it. No state. */
final class SubscriptionRow {

    private SubscriptionRow() {}

    static byte[] key(EdgeId edge, Subscription.Key key) {
        return Keys.subscription(edge, key.client(), key.filter().text(), key.id());
    }

    static byte[] value(EdgeId edge, Subscription s) {
        Subscription.Options o = s.options();
        return Framing.encode(new io.hereabouts.schemas.avro.Subscription(
                edge.value(),
                s.client(),
                s.filter().text(),
                s.id(),
                s.neighborhood().value(),
                s.descriptor(),
                o.qos(),
                o.noLocal(),
                o.retainAsPublished(),
                o.retainHandling(),
                o.identifier()));
    }

    /** @throws UndecodableException if that is no subscription */
    static Subscription read(byte[] value) throws UndecodableException {
        io.hereabouts.schemas.avro.Subscription row =
                Framing.decode(value, io.hereabouts.schemas.avro.Subscription.class);
        Subscription.Options options = new Subscription.Options(
                row.getQos(),
                row.getNoLocal(),
                row.getRetainAsPublished(),
                row.getRetainHandling(),
                row.getSubscriptionIdentifier());
        try {
            SubscribedFilter filter = SubscribedFilter.parse(row.getTopicFilter());
            return row.getNeighborhoodId().isEmpty()
                    ? Subscription.plain(row.getClient(), filter.topicFilter(), options)
                    : new Subscription(
                            row.getClient(),
                            filter.topicFilter(),
                            filter.share(),
                            row.getNeighborhoodId(),
                            NeighborhoodId.of(row.getNeighborhood()),
                            row.getDescriptor(),
                            options);
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("subscription: " + e.getMessage());
        }
    }
}
