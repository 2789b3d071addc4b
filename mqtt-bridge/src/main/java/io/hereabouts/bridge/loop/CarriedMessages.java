package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.Expiry;
import io.hereabouts.bridge.publish.CarriedTopics;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands messages without entity that other edges took to this edge's clients. Its own are left out: its clients have them.
 * What the broker is handed passes no interceptor, so it is not carried on. For one thread.
 */
public final class CarriedMessages {

    private static final Logger LOG = LoggerFactory.getLogger(CarriedMessages.class);

    private final EdgeId edge;
    private final CarriedTopics topics;
    private final DeliveryOutput output;
    private final EdgeMetrics metrics;
    private final Clock clock;

    public CarriedMessages(EdgeId edge, CarriedTopics topics, DeliveryOutput output, EdgeMetrics metrics, Clock clock) {
        this.edge = edge;
        this.topics = topics;
        this.output = output;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Records of the Kafka topic of messages, in the order of each partition. */
    public Taken received(List<Received> records) {
        List<CompletableFuture<?>> taken = new ArrayList<>();
        for (Received record : records) {
            try {
                received(record, taken);
            } catch (UndecodableException | IllegalArgumentException e) {
                metrics.ignored("undecodable");
                LOG.warn("message left out: {}", e.getMessage());
            }
        }
        return new Taken(CompletableFuture.allOf(taken.toArray(new CompletableFuture<?>[0])), "");
    }

    private void received(Received record, List<CompletableFuture<?>> taken) throws UndecodableException {
        Publication message = Framing.decode(record.value(), Publication.class);
        if (message.getEdge().equals(edge.value())
                || !topics.matches(TopicName.parse(message.getTopic()).value())) {
            return;
        }
        long expiresAt = Expiry.of(message, record.appendedAt());
        Broker broker = output.broker();
        if (expiresAt <= clock.millis()) {
            metrics.dropped("expired", message.getQos());
        } else if (broker != null) {
            metrics.carried("in");
            taken.add(broker.publish(message, expiresAt).toCompletableFuture());
        }
    }
}
