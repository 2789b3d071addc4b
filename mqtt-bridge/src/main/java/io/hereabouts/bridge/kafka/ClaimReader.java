package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.claim.Claim;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that follows the Kafka topic {@code sessions}, from where it ends at the start: no session is older than its
 * edge. Keeps nothing.
 */
public final class ClaimReader implements AutoCloseable {

    /** What the topic says next about a client; nobody has its session where there is no claim. */
    public record Said(String client, @Nullable Claim claim) {}

    private static final Logger LOG = LoggerFactory.getLogger(ClaimReader.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int FETCH_MILLIS = 100;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partition;
    private final Consumer<List<Said>> told;
    private final ReaderThread thread;

    private ClaimReader(KafkaConsumer<byte[], byte[]> consumer, String topic, String name, Consumer<List<Said>> told) {
        this.consumer = consumer;
        this.partition = List.of(new TopicPartition(topic, 0));
        this.told = told;
        this.thread = new ReaderThread(name, consumer, this::step);
    }

    /**
     * Goes to the end of the topic and starts reading there.
     *
     * @param told gets the records in order, on the reader's thread; returns when it is done with them
     */
    public static ClaimReader start(KafkaConnection kafka, String clientId, String topic, Consumer<List<Said>> told) {
        Map<String, Object> settings = kafka.consumer(clientId);
        // a consumer that closes waits for the fetch that is under way
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MILLIS);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        ClaimReader reader = new ClaimReader(consumer, topic, clientId, told);
        try {
            consumer.assign(reader.partition);
            consumer.seekToEnd(reader.partition);
            reader.partition.forEach(consumer::position);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
        reader.thread.start();
        return reader;
    }

    private void step() {
        try {
            List<Said> batch = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                if (record.key() != null && !Keys.isProbe(record.key())) {
                    read(record, batch);
                }
            }
            if (!batch.isEmpty()) {
                told.accept(batch);
            }
        } catch (OffsetOutOfRangeException e) {
            LOG.error("claims of sessions were deleted before they were read: {}", e.getMessage());
            consumer.seekToEnd(partition);
        }
    }

    private static void read(ConsumerRecord<byte[], byte[]> record, List<Said> into) {
        String client = new String(record.key(), StandardCharsets.UTF_8);
        if (record.value() == null) {
            into.add(new Said(client, null));
            return;
        }
        try {
            into.add(new Said(client, claim(Framing.decode(record.value(), SessionClaim.class))));
        } catch (UndecodableException e) {
            LOG.warn("the claim at {} is left out: {}", record.offset(), e.getMessage());
        }
    }

    static Claim claim(SessionClaim said) {
        return new Claim(
                new Claim.Holder(said.getEdge(), said.getRun()),
                said.getConnection(),
                said.getUser(),
                said.getDefends());
    }

    /** False once nothing is read any more. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    @Override
    public void close() {
        thread.close();
    }
}
