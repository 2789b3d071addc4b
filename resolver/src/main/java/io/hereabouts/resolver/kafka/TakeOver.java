package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.filters.FilterInventory;
import io.hereabouts.resolver.filters.FilterReader;
import io.hereabouts.resolver.filters.FilterRegistry;
import io.hereabouts.resolver.kafka.ResolverLoop.Owned;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a resolver becomes the owner of its partitions of {@code interests}: it reads what {@code filters} and they hold
 * to the end, and claims an epoch that no owner before it had and none after it will take.
 *
 * <p>The epoch is above the group's generation, above every epoch in {@code filters} and above the last one claimed. A
 * claim is a commit with the epoch as metadata; Kafka takes it from the present owner only, and whoever does not get it
 * through writes nothing. So two owners never share an epoch, even where a group began to count its generations anew.
 */
final class TakeOver {

    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private static final Pattern METADATA = Pattern.compile("epoch=(\\d{1,18})");

    private final ResolverConfig config;
    private final int interestPartitions;
    private final FilterWriter writer;
    private final Resolving resolving;
    private final Executor workers;
    private final ResolverMetrics metrics;
    private final BooleanSupplier isCurrent;

    /** @param isCurrent whether these are the resolvers of the current generation, who alone remove edges that are gone */
    TakeOver(
            ResolverConfig config,
            int interestPartitions,
            FilterWriter writer,
            Resolving resolving,
            Executor workers,
            ResolverMetrics metrics,
            BooleanSupplier isCurrent) {
        this.config = config;
        this.interestPartitions = interestPartitions;
        this.writer = writer;
        this.resolving = resolving;
        this.workers = workers;
        this.metrics = metrics;
        this.isCurrent = isCurrent;
    }

    static String metadata(long epoch) {
        return "epoch=" + epoch;
    }

    /**
     * Takes over what is assigned to the consumer and lets it go on from the committed offsets.
     *
     * @param stop asked while reading; true gives up
     * @return null if it was given up
     */
    @Nullable
    Owned begin(KafkaConsumer<byte[], byte[]> consumer, BooleanSupplier stop) {
        long begin = System.nanoTime();
        Set<TopicPartition> assigned = consumer.assignment();
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(assigned);
        Ownership ownership = new Ownership(
                assigned.stream().map(TopicPartition::partition).collect(Collectors.toSet()), interestPartitions);
        FilterInventory inventory = new FilterInventory(ownership::owns);
        WholeTopic filters = new WholeTopic(
                config.kafka().consumer("hereabouts-resolver-tail"),
                WholeTopic.partitions(config.topics().filters(), config.topics().partitions()));
        Tail tail = new Tail(filters);
        Readers readers = new Readers(tail);
        try {
            HeldInterests held = new HeldInterests();
            boolean complete =
                    !filters.readToEnd(record -> read(record, inventory), stop).isEmpty();
            try (WholeTopic interests = new WholeTopic(config.kafka().consumer("hereabouts-resolver-held"), assigned)) {
                complete &= !interests.readToEnd(held::read, stop).isEmpty();
            }
            if (!complete) {
                readers.close();
                return null;
            }
            long epoch = Math.max(consumer.groupMetadata().generationId(), inventory.highestEpoch() + 1);
            for (OffsetAndMetadata offset : committed.values()) {
                epoch = Math.max(epoch, claimed(offset) + 1);
            }
            Frontier frontier = frontier(consumer, assigned, committed);
            FilterRegistry registry = new FilterRegistry(
                    inventory,
                    epoch,
                    config.topics().partitions(),
                    config.linger().toMillis(),
                    Math.max(1, config.threads() / 2),
                    Resolving::footprint);
            Tenure tenure = new Tenure(
                    registry, held, frontier, writer, resolving, workers, metrics, ownership, config.sessionTimeout());
            Owned owned = new Owned(tenure, frontier, epoch, config.topics().interests(), readers);
            long claimedAt = System.nanoTime();
            consumer.commitSync(owned.positions());
            tenure.confirmed(claimedAt);
            tail.follow(record -> read(record, tenure), tenure::fail);
            tenure.begin(resolving.worldVersion());
            resolving.missing(tenure.references()).ifPresent(tenure::check);
            readers.add(resolving.follow(tenure));
            if (assigned.contains(new TopicPartition(config.topics().interests(), 0))) {
                readers.add(EdgeExpiry.start(config, metrics, () -> isCurrent.getAsBoolean() && tenure.holds()));
            }
            LOG.info(
                    "owns {} of {} partitions of {}, epoch {}, {} neighborhoods, after {} ms",
                    assigned.size(),
                    interestPartitions,
                    config.topics().interests(),
                    epoch,
                    tenure.neighborhoods(),
                    (System.nanoTime() - begin) / 1_000_000);
            return owned;
        } catch (RuntimeException e) {
            readers.close();
            throw e;
        }
    }

    /** Where each partition goes on, and the consumer with it. */
    private static Frontier frontier(
            KafkaConsumer<byte[], byte[]> consumer,
            Set<TopicPartition> assigned,
            Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(assigned);
        Frontier frontier = new Frontier();
        for (TopicPartition partition : assigned) {
            OffsetAndMetadata last = committed.get(partition);
            long next = Math.max(beginnings.getOrDefault(partition, 0L), last == null ? 0 : last.offset());
            frontier.begin(partition.partition(), next);
            consumer.seek(partition, next);
        }
        return frontier;
    }

    private static long claimed(@Nullable OffsetAndMetadata offset) {
        Matcher epoch = METADATA.matcher(offset == null ? "" : offset.metadata());
        return epoch.matches() ? Long.parseLong(epoch.group(1)) : 0;
    }

    private void read(ConsumerRecord<byte[], byte[]> record, FilterReader reader) {
        try {
            FilterRecords.read(record, reader);
        } catch (UndecodableException e) {
            metrics.dropped("undecodable_filter");
            LOG.warn(
                    "skips record {} of partition {} of {}: {}",
                    record.offset(),
                    record.partition(),
                    record.topic(),
                    e.getMessage());
        }
    }
}
