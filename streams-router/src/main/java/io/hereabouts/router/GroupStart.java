package io.hereabouts.router;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
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
    private final GroupOffsets offsets;

    GroupStart(Admin admin, RouterConfig config) {
        this.admin = admin;
        this.config = config;
        this.offsets = new GroupOffsets(admin, config);
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
            Map<TopicPartition, StartOffset> moves = offsets.moves();
            if (moves.isEmpty()) {
                return 0;
            }
            Map<TopicPartition, OffsetAndMetadata> starts = new HashMap<>();
            moves.forEach((partition, start) ->
                    start.move().ifPresent(to -> starts.put(partition, new OffsetAndMetadata(to))));
            try {
                admin.alterConsumerGroupOffsets(config.group(), starts).all().get();
                LOG.info("group {} begins at the start of {} partitions", config.group(), starts.size());
                return lost(moves);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof UnknownMemberIdException) || System.nanoTime() > deadline) {
                    throw e;
                }
                LOG.info("group {} has members; looking again whether they set its offsets", config.group());
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
}
