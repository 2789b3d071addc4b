package io.hereabouts.router;

import java.time.Duration;
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
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the group an offset in every partition before the router joins it. At the first start that is the beginning of
 * both topics: publications that wait are routed, and interests that wait are answered. Not thread-safe.
 */
final class GroupStart {

    private static final Logger LOG = LoggerFactory.getLogger(GroupStart.class);

    private final Admin admin;
    private final RouterConfig config;

    GroupStart(Admin admin, RouterConfig config) {
        this.admin = admin;
        this.config = config;
    }

    /**
     * Commits offsets where {@link StartOffset} asks for it. Kafka allows that only while the group has no members; if it
     * has some, they have done so or will soon be gone, and the question is asked again.
     *
     * @return publications that Kafka had deleted before they were routed
     */
    long prepare() throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime()
                + config.sessionTimeout().multipliedBy(3).plusSeconds(5).toNanos();
        while (true) {
            Map<TopicPartition, StartOffset> moves = moves();
            if (moves.isEmpty()) {
                return 0;
            }
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            moves.forEach((partition, start) ->
                    start.move().ifPresent(to -> offsets.put(partition, new OffsetAndMetadata(to))));
            try {
                admin.alterConsumerGroupOffsets(config.applicationId(), offsets)
                        .all()
                        .get();
                LOG.info("group {} begins at the start of {} partitions", config.applicationId(), offsets.size());
                return lost(moves);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownMemberIdException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LOG.info("group {} has members; looking again whether they set its offsets", config.applicationId());
                Thread.sleep(Duration.ofMillis(200).toMillis());
            }
        }
    }

    private long lost(Map<TopicPartition, StartOffset> moves) {
        long publications = 0;
        for (Map.Entry<TopicPartition, StartOffset> move : moves.entrySet()) {
            if (move.getValue().lost() > 0
                    && move.getKey().topic().equals(config.topics().publications())) {
                LOG.error(
                        "{}: {} publications were deleted by retention before they were routed",
                        move.getKey(),
                        move.getValue().lost());
                publications += move.getValue().lost();
            }
        }
        return publications;
    }

    private Map<TopicPartition, StartOffset> moves() throws ExecutionException, InterruptedException {
        List<TopicPartition> all = new ArrayList<>();
        for (int p = 0; p < config.topics().partitions(); p++) {
            all.add(new TopicPartition(config.topics().filters(), p));
            all.add(new TopicPartition(config.topics().publications(), p));
        }
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(config.applicationId())
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
