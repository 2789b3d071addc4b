package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends answers to edges, and what they are told unasked. A send to a Kafka topic that does not exist blocks its caller, and an edge may be gone for
 * good: so a thread and a producer of their own send answers, only to topics that were seen within the last seconds, and
 * nobody who answers waits. An answer that cannot be sent is counted and given up; an edge that is still there repeats
 * its request.
 *
 * <p>{@link #send} is thread-safe and does not block.
 */
final class Answers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
    private static final long SEEN_FOR_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long GONE_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int DESCRIBE_TIMEOUT_MS = 2_000;

    private final TopicCatalogue topics;
    private final ResolverMetrics metrics;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;
    private final BlockingQueue<Answer> queue = new LinkedBlockingQueue<>();
    private final Map<EdgeId, Seen> seen = new HashMap<>();
    private final Thread thread = new Thread(this::run, "hereabouts-resolver-answers");

    Answers(KafkaConnection kafka, TopicCatalogue topics, ResolverMetrics metrics) {
        this.topics = topics;
        this.metrics = metrics;
        this.admin = Admin.create(kafka.base("hereabouts-resolver-edges"));
        Map<String, Object> settings = kafka.producer("hereabouts-resolver-answers");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 2_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
        this.producer = new KafkaProducer<>(settings);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /**
     * Sends an answer some time soon.
     *
     * @param finished called once, when Kafka has it or it is given up
     */
    void send(EdgeId edge, Resolved resolved, Runnable finished) {
        byte[] key =
                ByteBuffer.allocate(Long.BYTES).putLong(resolved.getRequestId()).array();
        queue.add(new Answer(edge, key, resolved, finished));
    }

    /** Sends a status some time soon, behind the answers that were given before. */
    void tell(EdgeId edge, NeighborhoodStatus status) {
        queue.add(new Answer(edge, status.getNeighborhood().getBytes(StandardCharsets.UTF_8), status, () -> {}));
    }

    private void run() {
        try {
            while (true) {
                Answer answer = queue.take();
                try {
                    deliver(answer);
                } catch (RuntimeException e) {
                    // a bug; the answers after this one are not to wait for ever
                    LOG.error("answer to edge {} failed", answer.edge, e);
                    giveUp(answer, "answer_failed");
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("no more answers");
        }
    }

    private void deliver(Answer answer) throws InterruptedException {
        if (!exists(answer.edge)) {
            giveUp(answer, "edge_gone");
            return;
        }
        try {
            var unused = producer.send(
                    new ProducerRecord<>(topics.deliveries(answer.edge), 0, answer.key, Framing.encode(answer.record)),
                    (ack, failure) -> {
                        if (failure == null) {
                            answer.finished.run();
                        } else {
                            LOG.warn("answer to edge {} failed: {}", answer.edge, failure.toString());
                            giveUp(answer, "answer_failed");
                        }
                    });
        } catch (KafkaException e) {
            LOG.warn("answer to edge {} failed: {}", answer.edge, e.toString());
            seen.remove(answer.edge);
            giveUp(answer, "answer_failed");
        }
    }

    private void giveUp(Answer answer, String reason) {
        metrics.dropped(reason);
        try {
            answer.finished.run();
        } catch (RuntimeException e) {
            LOG.error("the request of edge {} could not be finished", answer.edge, e);
        }
    }

    private boolean exists(EdgeId edge) throws InterruptedException {
        long now = System.nanoTime();
        Seen last = seen.get(edge);
        if (last == null || now - last.at > (last.exists ? SEEN_FOR_NANOS : GONE_FOR_NANOS)) {
            last = new Seen(describe(topics.deliveries(edge)), now);
            seen.put(edge, last);
        }
        return last.exists;
    }

    private boolean describe(String topic) throws InterruptedException {
        try {
            admin.describeTopics(List.of(topic), new DescribeTopicsOptions().timeoutMs(DESCRIBE_TIMEOUT_MS))
                    .allTopicNames()
                    .get(DESCRIBE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                LOG.warn("{} could not be looked up: {}", topic, String.valueOf(e.getCause()));
            }
            return false;
        } catch (TimeoutException e) {
            LOG.warn("{} could not be looked up in {} ms", topic, DESCRIBE_TIMEOUT_MS);
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        producer.close(Duration.ofSeconds(2));
        admin.close(Duration.ofSeconds(2));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
    private record Answer(EdgeId edge, byte[] key, SpecificRecord record, Runnable finished) {}

    private record Seen(boolean exists, long at) {}
}
