package io.hereabouts.router;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Compares the offsets of the router's group with what Kafka still has. Thread-safe. */
final class GroupOffsets {

    private final Admin admin;
    private final RouterConfig config;

    GroupOffsets(Admin admin, RouterConfig config) {
        this.admin = admin;
        this.config = config;
    }

    /** The partitions in which the group could not go on from its offset as it is. */
    Map<TopicPartition, StartOffset> moves() throws ExecutionException, InterruptedException {
        List<TopicPartition> all = new ArrayList<>();
        for (int p = 0; p < config.topics().partitions(); p++) {
            all.add(new TopicPartition(config.topics().filters(), p));
            all.add(new TopicPartition(config.topics().publications(), p));
        }
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(config.group())
                .partitionsToOffsetAndMetadata()
                .get();
        Map<TopicPartition, ListOffsetsResultInfo> begins = offsets(all, OffsetSpec.earliest());
        Map<TopicPartition, ListOffsetsResultInfo> ends = offsets(all, OffsetSpec.latest());
        Map<TopicPartition, StartOffset> moves = new HashMap<>();
        for (TopicPartition partition : all) {
            OffsetAndMetadata at = committed.get(partition);
            ListOffsetsResultInfo begin = begins.get(partition);
            ListOffsetsResultInfo end = ends.get(partition);
            if (begin == null || end == null) {
                throw new IllegalStateException("Kafka gave no offsets of " + partition);
            }
            StartOffset start = StartOffset.decide(
                    at == null ? OptionalLong.empty() : OptionalLong.of(at.offset()), begin.offset(), end.offset());
            if (start.move().isPresent()) {
                moves.put(partition, start);
            }
        }
        return moves;
    }

    private Map<TopicPartition, ListOffsetsResultInfo> offsets(List<TopicPartition> of, OffsetSpec which)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        of.forEach(partition -> wanted.put(partition, which));
        return admin.listOffsets(wanted).all().get();
    }
}
