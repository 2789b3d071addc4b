package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.schemas.kafka.EdgeLeftovers;
import io.hereabouts.schemas.kafka.EdgeRegister.Lease;
import io.hereabouts.schemas.kafka.EdgeRegister.Removal;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.LeftBehind;
import io.hereabouts.schemas.kafka.RemovalPhase;
import io.hereabouts.schemas.record.Framing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes an edge that is gone, step by step: its lease, its clients' wills, which are published, its interests and subscriptions; then, when all resolvers and
 * routers have taken notice, its Kafka topic. How far it is stands in {@code edges}, so that whoever takes over goes on,
 * and a process that starts with the edge's id waits where it must. What a removal reads up to its own record decides
 * whether the edge has come back before; a process that comes later sees that record. For one thread.
 */
final class EdgeRemoval implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeRemoval.class);

    private static final Duration GENERATIONS = Duration.ofSeconds(10);

    private final ResolverConfig config;
    private final EdgesLog log;
    private final ResolverMetrics metrics;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    /** By edge, what groups have to have read before the edge's topic may go. */
    private final Map<EdgeId, Wait> waits = new HashMap<>();

    /** Resolvers first: only then is the last word about the edge in {@code filters}, for which routers are waited. */
    private record Wait(boolean forRouters, Map<TopicPartition, Long> ends) {}

    EdgeRemoval(ResolverConfig config, EdgesLog log, ResolverMetrics metrics) {
        this.config = config;
        this.log = log;
        this.metrics = metrics;
        this.admin = Admin.create(config.kafka().base("hereabouts-resolver-removal"));
        this.producer = new KafkaProducer<>(config.kafka().producer("hereabouts-resolver-removal"));
    }

    /** Begins with an edge that has not answered. */
    void begin(EdgeId edge) throws InterruptedException {
        Lease lease = log.register().lease(edge);
        enter(edge, RemovalPhase.WITHDRAWING, lease == null ? "unknown" : lease.host());
        withdraw(edge);
    }

    /** Goes on where the register says it is, as far as it can without waiting. */
    void goOn(EdgeId edge) throws InterruptedException {
        Removal removal = Objects.requireNonNull(log.register().removal(edge));
        switch (removal.phase()) {
            case WITHDRAWING -> withdraw(edge);
            case WAITING -> {
                if (hasReturned(edge, removal)) {
                    giveUp(edge);
                } else if (haveTakenNotice(edge)) {
                    enter(edge, RemovalPhase.DELETING, removal.host());
                    delete(edge);
                }
            }
            case DELETING -> delete(edge);
        }
    }

    private void withdraw(EdgeId edge) throws InterruptedException {
        Removal removal = Objects.requireNonNull(log.register().removal(edge));
        Lease lease = log.register().lease(edge);
        if (lease != null
                && lease.offset() < removal.offset()
                && removal.appendedAt() - lease.appendedAt()
                        < config.edgeExpiry().toMillis()) {
            giveUp(edge);
            return;
        }
        log.write(Keys.lease(edge), null);
        int found = withdrawLeftovers(edge);
        LOG.warn(
                "edge {} on host {} is gone: removed {} interests and subscriptions of it",
                edge,
                removal.host(),
                found);
        enter(edge, RemovalPhase.WAITING, removal.host());
        waits.remove(edge);
    }

    /** The wills of its clients go first: while they are not published nothing says that the edge is gone. */
    private int withdrawLeftovers(EdgeId edge) throws InterruptedException {
        settleLeftBehind(edge);
        List<EdgeLeftovers> found =
                EdgeLeftovers.find(config.kafka(), "hereabouts-resolver-leftovers", config.topics(), edge);
        for (EdgeLeftovers left : found) {
            var unused = producer.send(new ProducerRecord<>(
                    left.topic(), left.partition(), left.key().array(), null));
        }
        producer.flush();
        if (!found.isEmpty()
                && !EdgeLeftovers.find(config.kafka(), "hereabouts-resolver-leftovers", config.topics(), edge)
                        .isEmpty()) {
            throw new KafkaException("Kafka did not take the removal of what edge " + edge + " left");
        }
        return found.size();
    }

    private void settleLeftBehind(EdgeId edge) throws InterruptedException {
        try {
            Generations now = GenerationsTopic.read(config.kafka(), config.topics(), GENERATIONS);
            int wills = new LeftBehind(
                            config.kafka(),
                            "hereabouts-resolver-left-behind",
                            config.topics().at(now.published()),
                            producer,
                            InstantSource.system())
                    .settle(edge);
            metrics.wills(wills);
        } catch (TimeoutException e) {
            throw new KafkaException(e.getMessage(), e);
        }
    }

    private void delete(EdgeId edge) throws InterruptedException {
        Removal removal = Objects.requireNonNull(log.register().removal(edge));
        if (hasReturned(edge, removal)) {
            giveUp(edge);
            return;
        }
        if (withdrawLeftovers(edge) > 0) {
            // written by a process that had not noticed yet that it has lost its lease
            waits.remove(edge);
            enter(edge, RemovalPhase.WAITING, removal.host());
            return;
        }
        String topic = config.topics().deliveries(edge);
        long lost = undelivered(edge, topic);
        try {
            admin.deleteTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw new KafkaException(topic + " could not be deleted: " + e.getCause(), e);
            }
        }
        log.write(Keys.lease(edge), null);
        end(edge);
        metrics.edge("removed");
        metrics.lostWithEdge(lost);
        LOG.warn(
                "edge {} on host {} is removed, and {} with it: {} records that it had not taken",
                edge,
                removal.host(),
                topic,
                lost);
    }

    /** Records that were routed to the edge, and that it did not take: as far as it said how far it came. */
    private long undelivered(EdgeId edge, String topic) throws InterruptedException {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(
                            config.topics().deliveriesGroup(edge))
                    .partitionsToOffsetAndMetadata()
                    .get();
            return ends(topic).entrySet().stream()
                    .filter(end -> committed.get(end.getKey()) != null)
                    .mapToLong(end -> Math.max(
                            0,
                            end.getValue()
                                    - Objects.requireNonNull(committed.get(end.getKey()))
                                            .offset()))
                    .sum();
        } catch (ExecutionException | KafkaException e) {
            LOG.warn("what edge {} had not taken could not be counted: {}", edge, e.toString());
            return 0;
        }
    }

    /** A process took the lease before it could see this phase. */
    private boolean hasReturned(EdgeId edge, Removal removal) {
        Lease lease = log.register().lease(edge);
        return lease != null
                && (lease.offset() < removal.offset() || !removal.phase().isExclusive());
    }

    private void giveUp(EdgeId edge) throws InterruptedException {
        LOG.info("edge {} is back: it stays", edge);
        end(edge);
        metrics.edge("returned");
    }

    private void end(EdgeId edge) throws InterruptedException {
        waits.remove(edge);
        log.readTo(log.write(Keys.edgeRemoval(edge), null), news -> {});
    }

    private void enter(EdgeId edge, RemovalPhase phase, String host) throws InterruptedException {
        byte[] value = Framing.encode(new io.hereabouts.schemas.avro.EdgeRemoval(phase.name(), host));
        log.readTo(log.write(Keys.edgeRemoval(edge), value), news -> {});
    }

    /** All resolvers have put the end of the edge's interests into {@code filters}, and all routers have read that. */
    private boolean haveTakenNotice(EdgeId edge) throws InterruptedException {
        Wait wait = waits.get(edge);
        if (wait == null) {
            wait = new Wait(false, ends(config.topics().interests()));
            waits.put(edge, wait);
        }
        if (!wait.forRouters) {
            if (!hasRead(config.group(), wait.ends)) {
                return false;
            }
            wait = new Wait(true, ends(config.topics().filters()));
            waits.put(edge, wait);
        }
        return hasRead(config.topics().routerGroup(), wait.ends);
    }

    private Map<TopicPartition, Long> ends(String topic) throws InterruptedException {
        try {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            Objects.requireNonNull(admin.describeTopics(List.of(topic))
                            .allTopicNames()
                            .get()
                            .get(topic))
                    .partitions()
                    .forEach(p -> latest.put(new TopicPartition(topic, p.partition()), OffsetSpec.latest()));
            Map<TopicPartition, Long> ends = new HashMap<>();
            admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
            return ends;
        } catch (ExecutionException e) {
            throw new KafkaException("the end of " + topic + " could not be asked for: " + e.getCause(), e);
        }
    }

    /** What a group never committed for it never read, and will begin with what is there then. */
    private boolean hasRead(String group, Map<TopicPartition, Long> ends) throws InterruptedException {
        try {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            return ends.entrySet().stream().allMatch(end -> {
                OffsetAndMetadata offset = committed.get(end.getKey());
                return offset == null || offset.offset() >= end.getValue();
            });
        } catch (ExecutionException e) {
            throw new KafkaException("the progress of group " + group + " could not be asked for: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
        admin.close(Duration.ofSeconds(2));
    }
}
