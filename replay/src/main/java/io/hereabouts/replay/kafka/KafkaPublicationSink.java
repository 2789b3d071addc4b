package io.hereabouts.replay.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.PublicationSink;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Writes publications to the current generation of the Kafka topic {@code publications}, keyed by entity, in the partition that
 * {@link Partitions#partitionOf(EntityId, int)} says. Idempotent and in order within a partition; so many publications
 * at most are on their way. The first failure ends it. {@link #send} is for one thread.
 */
public final class KafkaPublicationSink implements PublicationSink {

    /** Publications on their way at most. */
    public static final int DEFAULT_IN_FLIGHT = 10_000;

    private static final long BUFFER_BYTES = 64L << 20;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Producer<byte[], byte[]> producer;
    private final GenerationsTopic generations;
    private final int inFlight;
    private final Semaphore room;
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    private TopicCatalogue topics;

    private KafkaPublicationSink(
            Producer<byte[], byte[]> producer, GenerationsTopic generations, TopicCatalogue topics, int inFlight) {
        this.producer = producer;
        this.generations = generations;
        this.topics = topics;
        this.inFlight = inFlight;
        this.room = new Semaphore(inFlight);
    }

    /**
     * Connects, and refuses if the topic is not there.
     *
     * @param deliveryTimeout after which a publication that Kafka did not acknowledge has failed; at least 1 s
     * @throws SinkFailedException naming what is wrong and what to do
     */
    public static KafkaPublicationSink open(
            KafkaConnection kafka, TopicCatalogue topics, int inFlight, Duration deliveryTimeout)
            throws SinkFailedException, InterruptedException {
        if (inFlight < 1 || deliveryTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "expected at least 1 in flight and 1 s, found " + inFlight + " and " + deliveryTimeout);
        }
        TopicCatalogue now = asGrown(kafka, topics);
        Map<String, Object> settings = kafka.producer("hereabouts-replay");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) deliveryTimeout.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) deliveryTimeout.toMillis() / 2);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, deliveryTimeout.toMillis());
        try {
            GenerationsTopic generations = GenerationsTopic.follow(
                    kafka, "hereabouts-replay-generations", topics, deliveryTimeout, change -> {});
            return new KafkaPublicationSink(new KafkaProducer<>(settings), generations, now, inFlight);
        } catch (TimeoutException e) {
            throw new SinkFailedException(String.valueOf(e.getMessage()), e);
        }
    }

    /** With {@link #DEFAULT_IN_FLIGHT} and 30 s. */
    public static KafkaPublicationSink open(KafkaConnection kafka, TopicCatalogue topics)
            throws SinkFailedException, InterruptedException {
        return open(kafka, topics, DEFAULT_IN_FLIGHT, Duration.ofSeconds(30));
    }

    private static TopicCatalogue asGrown(KafkaConnection kafka, TopicCatalogue topics)
            throws SinkFailedException, InterruptedException {
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            TopicCatalogue grown = admin.asGrown();
            Optional<Integer> found = admin.partitionsOf(grown.publications());
            if (found.isEmpty()) {
                String problem =
                        "Kafka topic " + grown.publications() + " is missing; create it with 'hereabouts topics init'";
                throw new SinkFailedException(problem, new IllegalStateException(problem));
            }
            return grown.at(new Generation(grown.generation().number(), found.get()));
        } catch (ExecutionException | TimeoutException e) {
            throw new SinkFailedException(
                    "Kafka at " + kafka.bootstrapServers() + " does not answer: " + e.getCause(), e);
        }
    }

    @Override
    public void send(EntityId entity, Publication publication) throws SinkFailedException, InterruptedException {
        followGeneration();
        room.acquire();
        boolean sent = false;
        try {
            refuseAfterFailure();
            byte[] key = entity.bytes();
            // what becomes of it the callback hears, and then whoever sends or flushes next
            var unused = producer.send(
                    new ProducerRecord<>(
                            topics.publications(),
                            Partitions.partitionOf(key, topics.partitions()),
                            key,
                            Framing.encode(publication)),
                    (metadata, e) -> settled(e));
            sent = true;
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (KafkaException | IllegalStateException e) {
            failure.compareAndSet(null, e);
            refuseAfterFailure();
        } finally {
            if (!sent) {
                room.release();
            }
        }
    }

    /** What was sent before is in Kafka before anything goes to the next generation. */
    private void followGeneration() throws SinkFailedException, InterruptedException {
        Generation published = generations.now().published();
        if (published.number() != topics.generation().number()) {
            flush();
            topics = topics.at(published);
        }
    }

    private void settled(@Nullable Exception e) {
        if (e == null) {
            acknowledged.incrementAndGet();
        } else {
            failure.compareAndSet(null, e);
        }
        room.release();
    }

    @Override
    public void flush() throws SinkFailedException, InterruptedException {
        try {
            producer.flush();
        } catch (InterruptException e) {
            throw interrupted(e);
        }
        room.acquire(inFlight);
        room.release(inFlight);
        refuseAfterFailure();
    }

    /** Kafka's unchecked twin of {@link InterruptedException} sets the thread's flag again. */
    private static InterruptedException interrupted(InterruptException e) {
        Thread.interrupted();
        InterruptedException checked = new InterruptedException(e.getMessage());
        checked.initCause(e);
        return checked;
    }

    @Override
    public long acknowledged() {
        return acknowledged.get();
    }

    private void refuseAfterFailure() throws SinkFailedException {
        Exception e = failure.get();
        if (e != null) {
            throw new SinkFailedException("Kafka did not take a publication: " + e, e);
        }
    }

    @Override
    public void close() {
        generations.close();
        producer.close(CLOSE_TIMEOUT);
    }
}
