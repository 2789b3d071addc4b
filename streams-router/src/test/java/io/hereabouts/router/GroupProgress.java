package io.hereabouts.router;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Where the routers' group stands. */
final class GroupProgress implements AutoCloseable {

    private final TopicCatalogue topics;
    private final String group;
    private final Admin admin;

    GroupProgress(KafkaConnection kafka, TopicCatalogue topics) {
        this.topics = topics;
        this.group = topics.prefix() + "router";
        this.admin = Admin.create(kafka.base("test-group"));
    }

    Map<TopicPartition, OffsetAndMetadata> committed() throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
    }

    /** Whether all publications are routed and their deliveries are in Kafka. */
    boolean hasRoutedAll() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = committed();
        return ends(topics.publications()).entrySet().stream().allMatch(end -> {
            OffsetAndMetadata at = committed.get(end.getKey());
            return at != null && at.offset() >= end.getValue().offset();
        });
    }

    /** Only while no router runs. */
    void moveToEndOfFilters() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        ends(topics.filters()).forEach((partition, end) -> offsets.put(partition, new OffsetAndMetadata(end.offset())));
        admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }

    private Map<TopicPartition, ListOffsetsResultInfo> ends(String topic)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int p = 0; p < topics.partitions(); p++) {
            wanted.put(new TopicPartition(topic, p), OffsetSpec.latest());
        }
        return admin.listOffsets(wanted).all().get();
    }

    @Override
    public void close() {
        admin.close();
    }
}
