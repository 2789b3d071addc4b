package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.schemas.kafka.EdgeLeftovers;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interests and subscriptions that an earlier run of this edge left in Kafka: on purpose, for sessions that outlive it, or
 * because it was killed. No state.
 */
public final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    /** Fits into the producer's buffer, which does not wait when it is full. */
    private static final int AT_A_TIME = 1_000;

    private Leftovers() {}

    /**
     * What an earlier run left.
     *
     * @param kept subscriptions that are served again
     * @param groups that its clients shared: routers may go on choosing this edge for them for a while
     */
    public record Found(List<Subscription> kept, Set<Group> groups) {}

    /**
     * Reads both Kafka topics to their ends and removes every key of the edge that is none of a subscription that is kept;
     * returns when Kafka has that.
     *
     * @param keep whether the subscriptions of a client are kept
     * @return the subscriptions that are, and the groups that were shared
     * @throws IllegalStateException if Kafka does not answer
     */
    public static Found take(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            EdgeId edge,
            EdgeProducer producer,
            Predicate<String> keep) {
        List<EdgeLeftovers> found = EdgeLeftovers.find(kafka, clientId, topics, edge);
        List<Subscription> kept = new ArrayList<>();
        Set<Group> groups = new HashSet<>();
        Set<ByteBuffer> keptKeys = new HashSet<>();
        for (EdgeLeftovers left : found) {
            if (left.topic().equals(topics.interests())) {
                interest(left).filter(Interest::isShared).ifPresent(shared -> groups.add(shared.group()));
            } else {
                subscription(left).filter(s -> keep.test(s.client())).ifPresent(subscription -> {
                    kept.add(subscription);
                    keptKeys.add(ByteBuffer.wrap(SubscriptionRow.key(edge, subscription.key())));
                    keptKeys.add(ByteBuffer.wrap(Keys.interest(subscription.interest(edge))));
                });
            }
        }
        remove(found.stream().filter(left -> !keptKeys.contains(left.key())).toList(), edge, producer);
        return new Found(kept, groups);
    }

    private static Optional<Interest> interest(EdgeLeftovers left) {
        try {
            return Optional.of(Keys.parseInterest(left.key().array()));
        } catch (UndecodableException e) {
            LOG.warn("interest of an earlier run left out: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** One that cannot be read is none. */
    private static Optional<Subscription> subscription(EdgeLeftovers left) {
        try {
            return Optional.of(SubscriptionRow.read(left.value().array()));
        } catch (UndecodableException e) {
            LOG.warn("subscription of an earlier run left out: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static void remove(List<EdgeLeftovers> found, EdgeId edge, EdgeProducer producer) {
        try {
            for (int i = 0; i < found.size(); i += AT_A_TIME) {
                List<EdgeLeftovers> some = found.subList(i, Math.min(found.size(), i + AT_A_TIME));
                CompletableFuture.allOf(
                                some.stream().map(f -> removal(producer, f)).toArray(CompletableFuture<?>[]::new))
                        .join();
            }
        } catch (CompletionException e) {
            throw new IllegalStateException("Kafka does not take the removal of what edge " + edge + " left", e);
        }
        if (!found.isEmpty()) {
            LOG.info("removed {} interests and subscriptions of an earlier run of edge {}", found.size(), edge);
        }
    }

    private static CompletableFuture<Void> removal(EdgeProducer producer, EdgeLeftovers found) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        producer.send(found.topic(), found.partition(), found.key().array(), null, failure -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }
}
