package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.delivery.SeenDeliveries;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to where publications have been routed and have reached this edge. A router commits an offset only when Kafka has all
 * that it sent for what is before it. So what this edge's Kafka topic has after a router committed is read, and then nothing
 * from before that offset can come any more, but repeats. A delivery that has come says the same, sooner. For one thread.
 */
final class RoutedUpTo implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RoutedUpTo.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private record Source(int generation, int partition) {}

    private final Admin admin;
    private final TopicCatalogue topics;
    private final TopicPartition deliveries;
    private final LongPredicate hasRead;
    private final SeenDeliveries seen;
    private Map<Source, Long> reached = Map.of();
    private Map<Source, Long> committed = Map.of();
    private int committedIn;
    private long end = -1;
    private int reachedGeneration;
    private Generations generations;

    /**
     * @param deliveries this edge's Kafka topic, which has one partition
     * @param seen the deliveries that have come
     * @param hasRead whether all of it before this offset has been dealt with
     */
    RoutedUpTo(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            String deliveries,
            LongPredicate hasRead,
            SeenDeliveries seen,
            Generations generations) {
        this.admin = Admin.create(kafka.base(clientId));
        this.topics = topics;
        this.deliveries = new TopicPartition(deliveries, 0);
        this.hasRead = hasRead;
        this.seen = seen;
        this.generations = generations;
    }

    /** Looks how far it is; waits for Kafka's answer, some seconds at most. */
    void look(Generations now) throws InterruptedException {
        generations = now;
        if (end >= 0 && !hasRead.test(end)) {
            return;
        }
        if (end >= 0) {
            reached();
        }
        try {
            // in this order: what was routed before the commit is before the end
            Map<Source, Long> next = new HashMap<>();
            for (Generation generation : now.all()) {
                committed(generation, next);
            }
            ListOffsetsResultInfo last = admin.listOffsets(Map.of(deliveries, OffsetSpec.latest()))
                    .partitionResult(deliveries)
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            committed = next;
            committedIn = now.current().number();
            end = last.offset();
            if (hasRead.test(end)) {
                reached();
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("how far publications are routed is not known now: {}", e.toString());
        }
    }

    private void reached() {
        reached = committed;
        reachedGeneration = committedIn;
    }

    private void committed(Generation generation, Map<Source, Long> into)
            throws ExecutionException, TimeoutException, InterruptedException {
        TopicCatalogue of = topics.at(generation);
        Map<TopicPartition, OffsetAndMetadata> all = admin.listConsumerGroupOffsets(of.routerGroup())
                .partitionsToOffsetAndMetadata()
                .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        all.forEach((partition, offset) -> {
            if (offset != null && partition.topic().equals(of.publications())) {
                into.put(new Source(generation.number(), partition.partition()), offset.offset());
            }
        });
    }

    /** Whether all up to this position of the entity's publications has come as far as here, if it concerns this edge. */
    boolean isReached(SourcePosition position, String entity) {
        if (position.generation() < reachedGeneration) {
            // routers go on with the next generation when they have done with this one
            return true;
        }
        for (Generation generation : generations.all()) {
            if (generation.number() == position.generation()) {
                int partition =
                        Partitions.partitionOf(entity.getBytes(StandardCharsets.UTF_8), generation.partitions());
                return seen.isPast(generation.number(), partition, position.offset())
                        || reached.getOrDefault(new Source(generation.number(), partition), 0L) > position.offset();
            }
        }
        return false;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
