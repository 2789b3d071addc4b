package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ids of the world's entities, followed in the Kafka topic of entities. Safe for any thread to ask. */
public final class KnownEntities implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KnownEntities.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final boolean withCategories;
    /** Categories by id; none if they are not wanted. */
    private final Map<String, List<Category>> entities = new ConcurrentHashMap<>();
    /** Entities of a kind share the list. */
    private final Map<List<String>, List<Category>> shared = new HashMap<>();

    private final ReaderThread thread;

    private KnownEntities(KafkaConsumer<byte[], byte[]> consumer, String name, boolean withCategories) {
        this.withCategories = withCategories;
        this.thread = new ReaderThread(name, consumer, () -> consumer.poll(POLL).forEach(this::apply));
    }

    /**
     * Reads the topic to its end, then goes on in the background.
     *
     * @param withCategories whether it is to know categories, too
     */
    public static KnownEntities load(KafkaConnection kafka, String clientId, String topic, boolean withCategories) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.committedConsumer(clientId));
        KnownEntities known = new KnownEntities(consumer, clientId, withCategories);
        try {
            List<TopicPartition> partitions = new ArrayList<>();
            consumer.partitionsFor(topic).forEach(p -> partitions.add(new TopicPartition(topic, p.partition())));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                consumer.poll(POLL).forEach(known::apply);
            }
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        known.thread.start();
        return known;
    }

    /** True if the world has an entity with this id. */
    public boolean contains(EntityId id) {
        return entities.containsKey(id.value());
    }

    /** The categories of the entity; none if the world does not have it. */
    public List<Category> categories(EntityId id) {
        return entities.getOrDefault(id.value(), List.of());
    }

    private void apply(ConsumerRecord<byte[], byte[]> record) {
        if (Keys.isProbe(record.key())) {
            return;
        }
        String id = new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            entities.remove(id);
        } else {
            entities.put(id, withCategories ? categories(id, record.value()) : List.of());
        }
    }

    /** Only one thread at a time reads. */
    private List<Category> categories(String id, byte[] value) {
        try {
            return shared.computeIfAbsent(
                    Framing.decode(value, Entity.class).getCategories(),
                    paths -> paths.stream().map(Category::of).toList());
        } catch (UndecodableException | IllegalArgumentException e) {
            LOG.warn("entity {} counts as one without categories: {}", id, e.getMessage());
            return List.of();
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
