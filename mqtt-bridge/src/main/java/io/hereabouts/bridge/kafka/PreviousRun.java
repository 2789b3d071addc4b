package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.claim.Claim;
import io.hereabouts.bridge.claim.EarlierClaims;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.LeftBehind;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;

/** What clients of an earlier run of this edge left, which was killed. No state. */
public final class PreviousRun {

    private PreviousRun() {}

    /**
     * Publishes the wills, whose connections have ended, and withdraws the claims unless sessions are kept. To be called by who
     * has the edge's lease, before there are clients.
     *
     * @return what is claimed if sessions are kept, else nothing
     * @param topics at the generation that publications go to
     * @throws IllegalStateException if Kafka does not answer
     */
    public static EarlierClaims settle(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            EdgeId edge,
            InstantSource clock,
            boolean keepsSessions)
            throws InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer(clientId))) {
            LeftBehind left = new LeftBehind(kafka, clientId, topics, producer, clock);
            if (!keepsSessions) {
                var unused = left.settle(edge);
                return new EarlierClaims(edge.value(), Map.of());
            }
            var unused = left.publishWills(edge);
            Map<String, Claim> claims = new HashMap<>();
            left.claims().forEach((client, claim) -> claims.put(client, ClaimReader.claim(claim)));
            return new EarlierClaims(edge.value(), claims);
        } catch (KafkaException e) {
            throw new IllegalStateException("what edge " + edge + " left behind: " + e.getMessage(), e);
        }
    }
}
