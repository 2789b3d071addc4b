package io.hereabouts.bridge.kafka;

import io.hereabouts.schemas.kafka.Partitions;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Writes messages without entity, by topic name, for the other edges. Thread-safe; nothing blocks. */
public final class MessageWriter {

    private final EdgeProducer producer;
    private final EdgeProducer patient;
    private final String kafkaTopic;
    private final int partitions;
    private final Qos0Room room;

    /**
     * @param patient the one that never gives up
     * @param room for QoS 0
     */
    public MessageWriter(EdgeProducer producer, EdgeProducer patient, String kafkaTopic, Qos0Room room) {
        this.producer = producer;
        this.patient = patient;
        this.kafkaTopic = kafkaTopic;
        this.partitions = producer.partitionsOf(kafkaTopic);
        this.room = room;
    }

    /**
     * Completes when Kafka has the message, or exceptionally when it does not. At QoS 2 it is sent until Kafka has it; at QoS 0
     * it fails at once when too much is on its way.
     */
    public CompletableFuture<Void> write(int qos, String topic, byte[] message) {
        return switch (qos) {
            case 0 -> room.in(message.length, () -> write(producer, topic, message));
            case 1 -> write(producer, topic, message);
            default -> write(patient, topic, message);
        };
    }

    private CompletableFuture<Void> write(EdgeProducer by, String topic, byte[] message) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        byte[] key = topic.getBytes(StandardCharsets.UTF_8);
        by.send(kafkaTopic, Partitions.partitionOf(key, partitions), key, message, failure -> {
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }
}
