package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.record.Framing;
import java.nio.charset.StandardCharsets;

/** Keeps the Kafka topics of interests and subscriptions as the edge wants them. Owned by the edge's thread. */
public final class SubscriptionEffects implements Subscriptions.Effects {

    private final EdgeId edge;
    private final CompactedTable interests;
    private final int interestPartitions;
    private final CompactedTable rows;
    private final int rowPartition;

    public SubscriptionEffects(
            EdgeId edge, CompactedTable interests, int interestPartitions, CompactedTable rows, int rowPartitions) {
        this.edge = edge;
        this.interests = interests;
        this.interestPartitions = interestPartitions;
        this.rows = rows;
        this.rowPartition = Partitions.partitionOf(edge.value().getBytes(StandardCharsets.UTF_8), rowPartitions);
    }

    @Override
    public void requestInterest(Interest interest, String descriptor, long requestId) {
        putInterest(interest, Framing.encode(new InterestRequest(descriptor, requestId)));
    }

    @Override
    public void withdrawInterest(Interest interest) {
        interests.put(partitionOf(interest), Keys.interest(interest), null, () -> {});
    }

    @Override
    public void storeRow(Subscription subscription, Runnable stored) {
        rows.put(
                rowPartition,
                SubscriptionRow.key(edge, subscription.key()),
                SubscriptionRow.value(edge, subscription),
                stored);
    }

    @Override
    public void dropRow(Subscription.Key key) {
        rows.put(rowPartition, SubscriptionRow.key(edge, key), null, () -> {});
    }

    /** Sends again what Kafka did not take. */
    public void retry() {
        interests.retry();
        rows.retry();
    }

    /** How many keys Kafka does not have as they should be. */
    public int unstored() {
        return interests.unstored() + rows.unstored();
    }

    private void putInterest(Interest interest, byte[] value) {
        interests.put(partitionOf(interest), Keys.interest(interest), value, () -> {});
    }

    private int partitionOf(Interest interest) {
        return Partitions.partitionOf(interest.neighborhood(), interestPartitions);
    }
}
