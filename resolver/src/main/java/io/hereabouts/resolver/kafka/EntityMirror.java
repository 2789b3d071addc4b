package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Makes the Kafka topic {@code entities} say which ids a world in PostGIS knows, so that edges know them too. Compares
 * and writes the difference: doing it again, or after a crash, costs a scan and repairs what is missing.
 */
public final class EntityMirror {

    private EntityMirror() {}

    /**
     * What was written.
     *
     * @param upserted entities that were new or had other categories
     * @param deleted entities that the world no longer has
     */
    public record Difference(long upserted, long deleted) {}

    /**
     * Brings the topic in line with the world; returns when Kafka has acknowledged all of it.
     *
     * @param progress told how many records Kafka has acknowledged, on another thread
     * @throws org.apache.kafka.common.KafkaException if something could not be written
     */
    public static Difference sync(KafkaConnection kafka, TopicCatalogue topics, WorldModel world, LongConsumer progress)
            throws WorldUnavailableException {
        Map<String, List<String>> mirrored = new HashMap<>();
        try (WholeTopic entities = new WholeTopic(
                kafka.consumer("hereabouts-entities-mirror"),
                WholeTopic.partitions(topics.entities(), topics.entityPartitions()))) {
            entities.readToEnd(record -> note(record, mirrored), () -> false);
        }
        long[] upserted = {0};
        try (EntityWriter writer = new EntityWriter(kafka, topics, world.version(), progress)) {
            world.scan(entity -> {
                List<String> categories =
                        entity.categories().stream().map(Category::path).toList();
                if (!categories.equals(mirrored.remove(entity.id().value()))) {
                    writer.upsert(entity);
                    upserted[0]++;
                }
            });
            mirrored.keySet().forEach(id -> writer.delete(EntityId.of(id)));
            writer.flush();
        }
        return new Difference(upserted[0], mirrored.size());
    }

    private static void note(ConsumerRecord<byte[], byte[]> record, Map<String, List<String>> mirrored) {
        if (record.key() == null || Keys.isProbe(record.key())) {
            return;
        }
        String id = new String(record.key(), StandardCharsets.UTF_8);
        List<String> categories = record.value() == null ? null : categories(record.value());
        if (categories == null) {
            mirrored.remove(id);
        } else {
            mirrored.put(id, categories);
        }
    }

    /** Null for what cannot be read or has a geometry: it is written anew. */
    private static @Nullable List<String> categories(byte[] value) {
        try {
            Entity entity = Framing.decode(value, Entity.class);
            return entity.getGeometry() == null ? entity.getCategories() : List.of();
        } catch (UndecodableException e) {
            return List.of();
        }
    }
}
