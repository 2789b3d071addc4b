package io.hereabouts.schemas.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.avro.Will;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import io.hereabouts.schemas.record.WillBytes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the clients of an edge leave behind when the edge is gone: their wills, which have to be published, and their
 * claims to sessions, which count no more. For whoever removes the edge, and for an edge that comes back. A will is
 * removed when Kafka has its publication: who is killed in between leaves it to be published once more, under the same
 * {@code publication-id}. For one thread.
 */
public final class LeftBehind {

    private static final Logger LOG = LoggerFactory.getLogger(LeftBehind.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final KafkaConnection kafka;
    private final String clientId;
    private final TopicCatalogue topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final InstantSource clock;

    /** @param topics at the generation that publications go to */
    public LeftBehind(
            KafkaConnection kafka,
            String clientId,
            TopicCatalogue topics,
            KafkaProducer<byte[], byte[]> producer,
            InstantSource clock) {
        this.kafka = kafka;
        this.clientId = clientId;
        this.topics = topics;
        this.producer = producer;
        this.clock = clock;
    }

    /**
     * Publishes the wills of all connections that the edge had, and withdraws what its clients claimed.
     *
     * @return how many wills
     * @throws KafkaException if Kafka does not answer, or does not take it
     */
    public int settle(EdgeId edge) throws InterruptedException {
        int published = publishWills(edge);
        withdrawClaims(edge);
        return published;
    }

    /**
     * Publishes the wills of all connections that the edge had.
     *
     * @return how many
     * @throws KafkaException if Kafka does not answer, or does not take it
     */
    public int publishWills(EdgeId edge) throws InterruptedException {
        byte[] own = (edge.value() + "\0").getBytes(StandardCharsets.UTF_8);
        Map<String, byte[]> wills = new LinkedHashMap<>();
        read(topics.wills(), (key, value) -> {
            if (value == null || !startsWith(key, own)) {
                wills.remove(text(key));
            } else {
                wills.put(text(key), value);
            }
        });
        List<PublishedWill> publications = new ArrayList<>();
        for (byte[] value : wills.values()) {
            try {
                publications.add(published(Framing.decode(value, Will.class)));
            } catch (UndecodableException | IllegalArgumentException e) {
                LOG.warn("a will that edge {} left behind is removed unpublished: {}", edge, e.getMessage());
            }
        }
        List<RecordMetadata> written =
                write(publications.stream().map(PublishedWill::record).toList());
        List<ProducerRecord<byte[], byte[]>> retained = new ArrayList<>();
        for (int i = 0; i < written.size(); i++) {
            if (publications.get(i).publication().getRetain()) {
                retained.add(retained(publications.get(i), offset(written.get(i))));
            }
        }
        write(retained);
        write(removals(topics.wills(), wills.keySet()));
        if (!publications.isEmpty()) {
            LOG.info("published {} wills that clients of edge {} left behind", publications.size(), edge);
        }
        return publications.size();
    }

    /** A will as it is in {@code publications}. */
    private record PublishedWill(Publication publication, ProducerRecord<byte[], byte[]> record) {}

    private PublishedWill published(Will will) throws UndecodableException {
        byte[] key = EntityId.of(will.getEntity()).bytes();
        Publication publication = WillBytes.publishedAt(will, clock.millis());
        return new PublishedWill(
                publication,
                new ProducerRecord<>(
                        topics.publications(),
                        Partitions.partitionOf(key, topics.partitions()),
                        key,
                        Framing.encode(publication)));
    }

    /** Where a publication is: that decides what is retained. */
    private static long offset(RecordMetadata written) {
        if (!written.hasOffset()) {
            throw new KafkaException("Kafka has a will and does not say where");
        }
        return written.offset();
    }

    /** What it leaves retained, as an edge writes it: nothing if its payload is empty. */
    private ProducerRecord<byte[], byte[]> retained(PublishedWill will, long offset) {
        byte[] key = new RetainedKey(
                        will.publication().getTopic(), new String(will.record().key(), StandardCharsets.UTF_8))
                .bytes();
        int partitions = producer.partitionsFor(topics.retained()).size();
        return new ProducerRecord<>(
                topics.retained(),
                Partitions.partitionOf(key, partitions),
                null,
                key,
                will.publication().getPayload().hasRemaining() ? will.record().value() : null,
                new SourcePosition(topics.generation().number(), offset).headers());
    }

    /**
     * Which edge has the session of each client.
     *
     * @throws KafkaException if Kafka does not answer
     */
    public Map<String, SessionClaim> claims() {
        Map<String, SessionClaim> claims = new HashMap<>();
        read(topics.sessions(), (key, value) -> {
            claims.remove(text(key));
            if (value != null) {
                claim(value).ifPresent(claim -> claims.put(text(key), claim));
            }
        });
        return claims;
    }

    /** A client that has come to another edge meanwhile says so again. */
    private void withdrawClaims(EdgeId edge) throws InterruptedException {
        Map<String, SessionClaim> claims = claims();
        claims.values().removeIf(claim -> !claim.getEdge().equals(edge.value()));
        write(removals(topics.sessions(), claims.keySet()));
    }

    private static Optional<SessionClaim> claim(byte[] value) {
        try {
            return Optional.of(Framing.decode(value, SessionClaim.class));
        } catch (UndecodableException e) {
            return Optional.empty();
        }
    }

    private void read(String topic, BiConsumer<byte[], byte @Nullable []> each) {
        Map<String, Object> settings = kafka.consumer(clientId);
        // a consumer that closes waits for the fetch that is under way
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            long readAt = System.nanoTime();
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    readAt = System.nanoTime();
                    each.accept(record.key(), record.value());
                }
                if (System.nanoTime() - readAt > SILENCE.toNanos()) {
                    throw new KafkaException(topic + " cannot be read to its end");
                }
            }
        }
    }

    private static List<ProducerRecord<byte[], byte[]>> removals(String topic, Set<String> keys) {
        return keys.stream()
                .map(key -> new ProducerRecord<byte[], byte[]>(topic, 0, key.getBytes(StandardCharsets.UTF_8), null))
                .toList();
    }

    /** Returns when Kafka has all of them. */
    private List<RecordMetadata> write(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : records) {
            sent.add(producer.send(record));
        }
        List<RecordMetadata> written = new ArrayList<>();
        for (Future<RecordMetadata> one : sent) {
            try {
                written.add(one.get());
            } catch (ExecutionException e) {
                throw new KafkaException("Kafka did not take what an edge left behind: " + e.getCause(), e);
            }
        }
        return written;
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    private static boolean startsWith(byte[] key, byte[] start) {
        return key.length > start.length && Arrays.equals(key, 0, start.length, start, 0, start.length);
    }
}
