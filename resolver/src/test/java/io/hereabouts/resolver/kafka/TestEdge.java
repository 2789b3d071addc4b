package io.hereabouts.resolver.kafka;

import static org.awaitility.Awaitility.await;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What an edge does as far as the resolver sees it: holds interests, reads answers; and it looks into the topics. */
final class TestEdge implements AutoCloseable {

    static final int INTEREST_PARTITIONS = 12;

    private static final AtomicLong REQUEST_IDS = new AtomicLong(1);

    final EdgeId id;
    final Map<Long, Resolved> answers = new ConcurrentHashMap<>();
    /** The last that it was told unasked. */
    final Map<NeighborhoodId, NeighborhoodStatus> statuses = new ConcurrentHashMap<>();

    private final Map<Long, Long> answeredAt = new ConcurrentHashMap<>();
    /** What this edge holds and was not refused, with its descriptor; null for plain. */
    final Map<Interest, NeighborhoodDescriptor> held = new ConcurrentHashMap<>();

    private final KafkaConnection kafka;
    private final TopicCatalogue topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Thread reader;
    private volatile boolean closing;

    TestEdge(KafkaConnection kafka, TopicCatalogue topics, String name) {
        this.kafka = kafka;
        this.topics = topics;
        this.id = EdgeId.of(name);
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(List.of(topics.deliveriesOf(id)));
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        this.producer = new KafkaProducer<>(kafka.producer("edge-" + name));
        this.reader = new Thread(this::read, "edge-" + name);
        reader.start();
    }

    /** Sends a request; the answer comes under the id returned. */
    long join(NeighborhoodDescriptor descriptor, String topicFilter) {
        Interest interest = TestCity.interest(descriptor, topicFilter, id);
        held.put(interest, descriptor);
        return send(interest, descriptor.canonicalText());
    }

    /** Sends a request with any text as descriptor. */
    long send(Interest interest, String descriptor) {
        long requestId = REQUEST_IDS.getAndIncrement();
        write(interest, Framing.encode(new InterestRequest(descriptor, requestId)));
        return requestId;
    }

    void leave(Interest interest) {
        held.remove(interest);
        write(interest, null);
    }

    /** The answer, once it is there. */
    Resolved answer(long requestId) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> answers.containsKey(requestId));
        return Objects.requireNonNull(answers.get(requestId));
    }

    /** Nano time at which the answer came. */
    long answeredAt(long requestId) {
        return Objects.requireNonNull(answeredAt.get(requestId));
    }

    private void write(Interest interest, byte @Nullable [] value) {
        int partition = Partitions.partitionOf(interest.neighborhood(), INTEREST_PARTITIONS);
        var unused = producer.send(new ProducerRecord<>(topics.interests(), partition, Keys.interest(interest), value));
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(kafka.consumer("edge-reader-" + id))) {
            TopicPartition partition = new TopicPartition(topics.deliveries(id), 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
                    if (Keys.isProbe(record.key())) {
                        continue;
                    }
                    if (Framing.decode(record.value()) instanceof NeighborhoodStatus status) {
                        statuses.put(NeighborhoodId.of(status.getNeighborhood()), status);
                        continue;
                    }
                    Resolved resolved = Framing.decode(record.value(), Resolved.class);
                    answers.put(resolved.getRequestId(), resolved);
                    answeredAt.putIfAbsent(resolved.getRequestId(), System.nanoTime());
                }
            }
        } catch (UndecodableException | KafkaException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everything in a topic now, in the order of each partition. */
    static List<ConsumerRecord<byte[], byte[]>> dump(KafkaConnection kafka, String topic, int partitions) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (WholeTopic whole = new WholeTopic(kafka.consumer("dump"), WholeTopic.partitions(topic, partitions))) {
            whole.readToEnd(records::add, () -> false);
        }
        return records;
    }

    /** What {@code filters} must hold for what these edges hold, by resolution from scratch. */
    static Map<String, Set<String>> expected(WorldModel world, int partitions, TestEdge... edges) {
        TreeMap<String, Set<String>> expected = new TreeMap<>();
        for (TestEdge edge : edges) {
            edge.held.forEach((interest, descriptor) ->
                    FiltersView.expect(expected, interest, shares(world, partitions, interest, descriptor)));
        }
        return expected;
    }

    static Map<Integer, Set<String>> shares(
            WorldModel world, int partitions, Interest interest, NeighborhoodDescriptor descriptor) {
        Map<Integer, Set<String>> shares = new HashMap<>();
        try {
            for (EntityId entity :
                    world.resolve(descriptor, UnknownReferences.LEAVE_OUT).selected()) {
                shares.computeIfAbsent(Partitions.partitionOf(entity, partitions), p -> new TreeSet<>())
                        .add(entity.value());
            }
        } catch (UnresolvableException | WorldUnavailableException e) {
            throw new AssertionError(interest.toString(), e);
        }
        return shares;
    }

    @Override
    public void close() {
        closing = true;
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(5));
    }
}
