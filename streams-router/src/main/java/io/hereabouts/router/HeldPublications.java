package io.hereabouts.router;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of Kafka Streams, of which the main consumer can leave publications where they are while it reads filters.
 * {@code KafkaStreams.pause} would hold back the filters as well, and with them what edges wait for. Thread-safe.
 */
final class HeldPublications implements KafkaClientSupplier {

    private final String topic;
    private volatile boolean held;

    HeldPublications(String topic, boolean held) {
        this.topic = topic;
        this.held = held;
    }

    /** Lets all that waits and all that comes be read. */
    void release() {
        held = false;
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return held ? new HoldingConsumer(config) : consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** Pauses what is assigned to it; what a poll in which that was assigned has fetched already, it reads again later. */
    private final class HoldingConsumer extends KafkaConsumer<byte[], byte[]> {

        private boolean holds;

        HoldingConsumer(Map<String, Object> config) {
            super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            boolean hold = held;
            if (hold) {
                pause(publications());
                holds = true;
            } else if (holds) {
                resume(publications());
                holds = false;
            }
            ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
            return hold ? withoutPublications(records) : records;
        }

        private List<TopicPartition> publications() {
            return assignment().stream().filter(p -> p.topic().equals(topic)).toList();
        }

        private ConsumerRecords<byte[], byte[]> withoutPublications(ConsumerRecords<byte[], byte[]> records) {
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> kept = new HashMap<>();
            boolean some = false;
            for (TopicPartition partition : records.partitions()) {
                List<ConsumerRecord<byte[], byte[]>> of = records.records(partition);
                if (partition.topic().equals(topic)) {
                    seek(partition, of.get(0).offset());
                    some = true;
                } else {
                    kept.put(partition, of);
                }
            }
            return some
                    ? new ConsumerRecords<>(
                            kept,
                            records.nextOffsets().entrySet().stream()
                                    .filter(next -> !next.getKey().topic().equals(topic))
                                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                    : records;
        }
    }
}
