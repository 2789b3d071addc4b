package io.hereabouts.bridge;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.FilterPosition;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.DeliveryBytes;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.PublicationBytes;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Stands at the other end of the edge's Kafka topics, on a real broker: reads interests and publications, writes filter
 * interests, Resolved, Applied and deliveries, as resolver and router do. What it knows of neighborhoods, and what it
 * leaves out or refuses, a test decides.
 */
final class ScriptedPipeline implements AutoCloseable {

    /** What to answer a request with. */
    record Refusal(int reasonCode, String reason) {}

    final Set<NeighborhoodId> silentFor = ConcurrentHashMap.newKeySet();
    final Map<NeighborhoodId, Refusal> refusals = new ConcurrentHashMap<>();
    final List<Interest> requests = new CopyOnWriteArrayList<>();
    volatile boolean sendResolved = true;
    volatile boolean sendApplied = true;
    volatile boolean route = true;
    volatile long owner;

    private final TopicCatalogue topics;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Map<NeighborhoodId, Set<String>> world = new ConcurrentHashMap<>();
    private final Map<Interest, InterestRequest> interests = new ConcurrentHashMap<>();
    private final List<Applied> lastApplied = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "scripted-pipeline");
    private long version;
    private volatile boolean closed;

    ScriptedPipeline(KafkaConnection kafka, TopicCatalogue topics) {
        this.topics = topics;
        this.producer = new KafkaProducer<>(kafka.producer("scripted-pipeline"));
        this.consumer = new KafkaConsumer<>(kafka.consumer("scripted-pipeline"));
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : List.of(topics.interests(), topics.publications())) {
            consumer.partitionsFor(topic).forEach(p -> all.add(new TopicPartition(topic, p.partition())));
        }
        consumer.assign(all);
        consumer.seekToBeginning(all);
        thread.setDaemon(true);
        thread.start();
    }

    /** The neighborhood has these entities. */
    void define(NeighborhoodId neighborhood, String... entities) {
        world.put(neighborhood, Set.of(entities));
    }

    /** Interests that the edges hold by what Kafka has. */
    Collection<Interest> interests() {
        return Set.copyOf(interests.keySet());
    }

    /** Answers what was left unanswered. */
    void catchUp() {
        interests.forEach(this::resolve);
    }

    /** Sends any record to an edge. */
    void send(EdgeId edge, String key, byte[] value) {
        send(topics.deliveries(edge), 0, key.getBytes(StandardCharsets.UTF_8), value);
    }

    private void run() {
        try (consumer;
                producer) {
            while (!closed) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    if (Keys.isProbe(record.key())) {
                        continue;
                    }
                    if (record.topic().equals(topics.interests())) {
                        interest(record);
                    } else if (route) {
                        publication(record);
                    }
                }
            }
        } catch (WakeupException e) {
            // closed
        } catch (UndecodableException e) {
            throw new IllegalStateException(e);
        }
    }

    private void interest(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
        Interest interest = Keys.parseInterest(record.key());
        if (record.value() == null) {
            interests.remove(interest);
            return;
        }
        requests.add(interest);
        InterestRequest request = Framing.decode(record.value(), InterestRequest.class);
        interests.put(interest, request);
        resolve(interest, request);
    }

    private void resolve(Interest interest, InterestRequest request) {
        NeighborhoodId neighborhood = interest.neighborhood();
        if (silentFor.contains(neighborhood)) {
            return;
        }
        String key = String.valueOf(request.getRequestId());
        Refusal refusal = refusals.get(neighborhood);
        if (refusal != null) {
            send(
                    interest.edge(),
                    key,
                    Framing.encode(new Resolved(
                            request.getRequestId(), refusal.reasonCode(), refusal.reason(), 0L, 0, List.of(), 1)));
            return;
        }
        List<FilterPosition> positions = new ArrayList<>();
        List<Applied> applied = new ArrayList<>();
        for (int partition : partitionsOf(neighborhood)) {
            long offset = send(
                    topics.filters(),
                    partition,
                    Keys.filterInterest(interest),
                    Framing.encode(new FilterInterest(1L, 1L, request.getRequestId())));
            positions.add(new FilterPosition(partition, offset));
            applied.add(new Applied(topics.generation().number(), partition, owner, offset));
        }
        slices(neighborhood);
        lastApplied.addAll(applied);
        if (sendResolved) {
            send(
                    interest.edge(),
                    key,
                    Framing.encode(new Resolved(request.getRequestId(), 0, "", 1L, positions.size(), positions, 1)));
        }
        if (sendApplied) {
            applied.forEach(a -> send(interest.edge(), key, Framing.encode(a)));
        }
    }

    /** As resolvers write them, for those who read them beside routers. */
    private void slices(NeighborhoodId neighborhood) {
        Set<String> all = world.getOrDefault(neighborhood, Set.of());
        if (all.isEmpty()) {
            return;
        }
        for (int partition : partitionsOf(neighborhood)) {
            List<String> here = all.stream()
                    .filter(e -> Partitions.partitionOf(EntityId.of(e), topics.partitions()) == partition)
                    .toList();
            send(
                    topics.filters(),
                    partition,
                    Keys.slice(neighborhood),
                    Framing.encode(new Slice(
                            1L, ++version, 1L, all.size(), here.size(), ByteBuffer.wrap(SliceIds.encode(here)))));
        }
    }

    private Set<Integer> partitionsOf(NeighborhoodId neighborhood) {
        Set<Integer> partitions = new TreeSet<>();
        if (neighborhood.isEverywhere()) {
            for (int p = 0; p < topics.partitions(); p++) {
                partitions.add(p);
            }
        } else {
            world.getOrDefault(neighborhood, Set.of())
                    .forEach(e -> partitions.add(Partitions.partitionOf(EntityId.of(e), topics.partitions())));
        }
        return partitions;
    }

    private void publication(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
        String entity = new String(record.key(), StandardCharsets.UTF_8);
        String topic = PublicationBytes.topic(record.value());
        Map<EdgeId, Set<Long>> byEdge = new HashMap<>();
        for (Interest interest : interests.keySet()) {
            boolean contains = interest.neighborhood().isEverywhere()
                    || world.getOrDefault(interest.neighborhood(), Set.of()).contains(entity);
            if (contains && interest.topicFilter().matches(topic)) {
                byEdge.computeIfAbsent(interest.edge(), e -> new HashSet<>())
                        .add(interest.neighborhood().handle());
            }
        }
        byEdge.forEach((edge, handles) -> deliver(edge, entity, record, owner, record.offset(), handles));
    }

    /** Sends a delivery as a router task with this owner number would. */
    @SuppressWarnings("FutureReturnValueIgnored") // a test that misses the delivery fails
    void deliver(
            EdgeId edge,
            String entity,
            ConsumerRecord<byte[], byte[]> publication,
            long asOwner,
            long offset,
            Collection<Long> handles) {
        long[] all = handles.stream().mapToLong(Long::longValue).toArray();
        producer.send(new ProducerRecord<>(
                topics.deliveries(edge),
                0,
                entity.getBytes(StandardCharsets.UTF_8),
                DeliveryBytes.encode(
                        topics.generation().number(),
                        publication.partition(),
                        asOwner,
                        offset,
                        all,
                        all.length,
                        publication.value())));
    }

    private long send(String topic, int partition, byte[] key, byte[] value) {
        try {
            return producer.send(new ProducerRecord<>(topic, partition, key, value))
                    .get()
                    .offset();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
