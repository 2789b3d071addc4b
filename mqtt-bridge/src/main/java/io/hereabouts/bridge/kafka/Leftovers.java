package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interests and subscriptions that an earlier run of this edge left in Kafka because it was killed. No session outlives
 * an edge, so nobody holds them any more. No state.
 */
public final class Leftovers {

    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /** Fits into the producer's buffer, which does not wait when it is full. */
    private static final int AT_A_TIME = 1_000;

    private record Found(String topic, int partition, ByteBuffer key) {}

    private Leftovers() {}

    /**
     * Reads both Kafka topics to their ends and removes every key of the edge; returns when Kafka has that.
     *
     * @throws IllegalStateException if Kafka does not answer
     */
    public static void remove(
            KafkaConnection kafka, String clientId, TopicCatalogue topics, EdgeId edge, EdgeProducer producer) {
        List<Found> found = find(kafka, clientId, topics, edge);
        try {
            for (int i = 0; i < found.size(); i += AT_A_TIME) {
                List<Found> some = found.subList(i, Math.min(found.size(), i + AT_A_TIME));
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

    private static CompletableFuture<Void> removal(EdgeProducer producer, Found found) {
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

    private static List<Found> find(KafkaConnection kafka, String clientId, TopicCatalogue topics, EdgeId edge) {
        byte[] endOfInterest = ("|" + edge.value()).getBytes(StandardCharsets.UTF_8);
        byte[] startOfRow = (edge.value() + "\0").getBytes(StandardCharsets.UTF_8);
        Map<ByteBuffer, Found> found = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer(clientId))) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (String topic : List.of(topics.interests(), topics.subscriptions())) {
                consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long readAt = System.nanoTime();
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    readAt = System.nanoTime();
                    byte[] key = record.key();
                    boolean own = record.topic().equals(topics.interests())
                            ? endsWith(key, endOfInterest)
                            : startsWith(key, startOfRow);
                    if (own && record.value() == null) {
                        found.remove(ByteBuffer.wrap(key));
                    } else if (own) {
                        found.put(
                                ByteBuffer.wrap(key),
                                new Found(record.topic(), record.partition(), ByteBuffer.wrap(key)));
                    }
                }
                if (System.nanoTime() - readAt > SILENCE.toNanos()) {
                    throw new IllegalStateException("Kafka does not say what edge " + edge + " left");
                }
            }
        }
        return List.copyOf(found.values());
    }

    private static boolean startsWith(byte[] key, byte[] start) {
        return key.length > start.length && Arrays.equals(key, 0, start.length, start, 0, start.length);
    }

    private static boolean endsWith(byte[] key, byte[] end) {
        return key.length > end.length && Arrays.equals(key, key.length - end.length, key.length, end, 0, end.length);
    }
}
