package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.schemas.kafka.EdgeRegister;
import io.hereabouts.schemas.kafka.EdgeRegister.Lease;
import io.hereabouts.schemas.kafka.EdgesLog;
import io.hereabouts.schemas.kafka.Keys;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that finds edges that are gone and has them removed. It belongs to the resolver that owns partition 0 of
 * {@code interests}: so there is one, it moves when that one dies, and it is beside the only writers of {@code filters},
 * whose progress a removal waits for.
 *
 * <p>An edge is gone if Kafka's time of its last heartbeat is {@code edge.expiry} before Kafka's time of the last record
 * of all, for which this thread writes one now and then; and if it then does not answer when it is asked. No clock of a
 * host counts, and where a clock of Kafka's jumps, an edge that lives answers.
 */
final class EdgeExpiry implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeExpiry.class);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);
    /** Longer than a step takes while Kafka answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int LOOKS = 10;

    private final ResolverConfig config;
    private final ResolverMetrics metrics;
    private final BooleanSupplier owns;
    private final long lookNanos;
    private final long answerNanos;
    private final Map<EdgeId, Question> questions = new HashMap<>();
    private final Thread thread = new Thread(this::run, "hereabouts-edge-expiry");

    private volatile boolean closing;

    /** @param offset of the question in {@code edges} */
    private record Question(long offset, long askedAt) {}

    private EdgeExpiry(ResolverConfig config, ResolverMetrics metrics, BooleanSupplier owns) {
        this.config = config;
        this.metrics = metrics;
        this.owns = owns;
        this.lookNanos = Math.min(config.edgeExpiry().toNanos() / LOOKS, LONGEST_ANSWER.toNanos());
        this.answerNanos = Math.min(config.edgeExpiry().toNanos(), LONGEST_ANSWER.toNanos());
        thread.setDaemon(true);
    }

    /**
     * Starts looking.
     *
     * @param owns asked before anything is removed: false if another resolver may do that by now
     */
    static EdgeExpiry start(ResolverConfig config, ResolverMetrics metrics, BooleanSupplier owns) {
        EdgeExpiry expiry = new EdgeExpiry(config, metrics, owns);
        expiry.thread.start();
        return expiry;
    }

    private void run() {
        while (!closing) {
            try (EdgesLog log = new EdgesLog(config.kafka(), "hereabouts-resolver-edges", config.topics());
                    EdgeRemoval removal = new EdgeRemoval(config, log, metrics)) {
                questions.clear();
                log.readToEnd();
                long lookedAt = System.nanoTime();
                while (!closing) {
                    log.read(news -> {});
                    if (System.nanoTime() - lookedAt > lookNanos && owns.getAsBoolean()) {
                        lookedAt = System.nanoTime();
                        look(log, removal);
                    }
                }
            } catch (InterruptedException e) {
                return;
            } catch (KafkaException | IllegalStateException e) {
                if (closing) {
                    return;
                }
                LOG.warn("edges that are gone are not removed for the moment: {}", e.toString());
                pause();
            } catch (RuntimeException e) {
                LOG.error("edges that are gone are not removed for the moment", e);
                pause();
            }
        }
    }

    private void look(EdgesLog log, EdgeRemoval removal) throws InterruptedException {
        EdgeRegister register = log.register();
        if (register.hasLeases()) {
            log.readTo(log.write(Keys.probe(), null), news -> {});
        }
        for (EdgeId edge : register.removals()) {
            removal.goOn(edge);
        }
        questions.entrySet().removeIf(question -> answers(question.getKey(), question.getValue(), register));
        for (EdgeId edge : register.silentFor(config.edgeExpiry())) {
            Question question = questions.get(edge);
            if (register.removal(edge) != null) {
                questions.remove(edge);
            } else if (question == null) {
                LOG.info("edge {} was not heard of for {}, it is asked", edge, config.edgeExpiry());
                questions.put(edge, new Question(log.write(Keys.leaseQuestion(edge), null), System.nanoTime()));
            } else if (System.nanoTime() - question.askedAt > answerNanos && owns.getAsBoolean()) {
                questions.remove(edge);
                removal.begin(edge);
            }
        }
    }

    private boolean answers(EdgeId edge, Question question, EdgeRegister register) {
        Lease lease = register.lease(edge);
        if (lease != null && lease.offset() > question.offset) {
            LOG.info("edge {} answers: it stays", edge);
            metrics.edge("answered");
            return true;
        }
        return lease == null;
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        } catch (InterruptedException e) {
            closing = true;
        }
    }

    /** Returns when nothing is removed any more; the next owner goes on. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(PATIENCE.toMillis());
            thread.interrupt();
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
