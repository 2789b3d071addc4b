package io.hereabouts.launcher.kafka;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.EntityRecords;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Finds an entity of the world in memory without reading all of it. No state. */
public final class LatestEntity {

    private static final int WINDOW = 100;
    private static final Duration POLL = Duration.ofMillis(200);

    private LatestEntity() {}

    /** One of the entities that were written last and have not been removed since; empty if there is none among them. */
    public static Optional<PhysicalEntity> find(KafkaConnection kafka, TopicCatalogue topics) {
        Map<String, Optional<PhysicalEntity>> latest = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(kafka.committedConsumer("hereabouts-latest-entity"))) {
            List<TopicPartition> partitions = IntStream.range(0, topics.entityPartitions())
                    .mapToObj(p -> new TopicPartition(topics.entities(), p))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            partitions.forEach(p -> consumer.seek(
                    p, Math.max(Objects.requireNonNull(begins.get(p)), Objects.requireNonNull(ends.get(p)) - WINDOW)));
            while (partitions.stream().anyMatch(p -> consumer.position(p) < Objects.requireNonNull(ends.get(p)))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    if (record.key() != null && !Keys.isProbe(record.key())) {
                        String id = new String(record.key(), StandardCharsets.UTF_8);
                        latest.put(id, entity(id, record.value()));
                    }
                }
            }
        }
        return latest.values().stream().flatMap(Optional::stream).findFirst();
    }

    private static Optional<PhysicalEntity> entity(String id, byte @Nullable [] value) {
        try {
            return value == null
                    ? Optional.empty()
                    : Optional.of(EntityRecords.fromRecord(id, Framing.decode(value, Entity.class)));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }
}
