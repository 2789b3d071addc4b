package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.EdgeLeftovers;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interests and subscriptions that an earlier run of this edge left in Kafka because it was killed. No session outlives
 * an edge, so nobody holds them any more. No state.
 */
public final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    /** Fits into the producer's buffer, which does not wait when it is full. */
    private static final int AT_A_TIME = 1_000;

    private Leftovers() {}

    /**
     * Reads both Kafka topics to their ends and removes every key of the edge; returns when Kafka has that.
     *
     * @throws IllegalStateException if Kafka does not answer
     */
    public static void remove(
            KafkaConnection kafka, String clientId, TopicCatalogue topics, EdgeId edge, EdgeProducer producer) {
        List<EdgeLeftovers> found = EdgeLeftovers.find(kafka, clientId, topics, edge);
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
