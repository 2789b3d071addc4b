package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.LeftBehind;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.InstantSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;

/** What clients of an earlier run of this edge left, which was killed. No state. */
public final class PreviousRun {

    private PreviousRun() {}

    /**
     * Publishes the wills and withdraws the claims: no session outlives an edge, so all of them are due. To be called by
     * who has the edge's lease, before there are clients.
     *
     * @param topics at the generation that publications go to
     * @throws IllegalStateException if Kafka does not answer
     */
    public static void settle(
            KafkaConnection kafka, String clientId, TopicCatalogue topics, EdgeId edge, InstantSource clock)
            throws InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer(clientId))) {
            var unused = new LeftBehind(kafka, clientId, topics, producer, clock).settle(edge);
        } catch (KafkaException e) {
            throw new IllegalStateException("what edge " + edge + " left behind: " + e.getMessage(), e);
        }
    }
}
