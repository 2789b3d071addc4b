package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * An interest or a subscription that an edge left in Kafka.
 *
 * @param topic Kafka topic in which it is
 * @param partition of the topic
 * @param key of the record
 * @param value of the record
 */
public record EdgeLeftovers(String topic, int partition, ByteBuffer key, ByteBuffer value) {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /**
     * Reads interests and subscriptions to their ends and returns what is the edge's.
     *
     * @throws IllegalStateException if Kafka does not answer
     */
    public static List<EdgeLeftovers> find(KafkaConnection kafka, String clientId, TopicCatalogue topics, EdgeId edge) {
        byte[] endOfInterest = ("|" + edge.value()).getBytes(StandardCharsets.UTF_8);
        byte[] startOfRow = (edge.value() + "\0").getBytes(StandardCharsets.UTF_8);
        Map<ByteBuffer, EdgeLeftovers> found = new HashMap<>();
        Map<String, Object> settings = kafka.consumer(clientId);
        // a consumer that closes waits for the fetch that is under way
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
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
                                new EdgeLeftovers(
                                        record.topic(),
                                        record.partition(),
                                        ByteBuffer.wrap(key),
                                        ByteBuffer.wrap(record.value())));
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
