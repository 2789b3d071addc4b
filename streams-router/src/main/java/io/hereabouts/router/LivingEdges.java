package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.EdgeRegister;
import io.hereabouts.schemas.kafka.EdgesLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edges that have a lease and were heard of lately, by Kafka's clock: compared with the last record of the Kafka topic
 * {@code edges}, so that all routers that have read as far say the same. Thread-safe.
 */
final class LivingEdges implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LivingEdges.class);
    private static final long JOIN_MILLIS = 5_000;

    private final EdgesLog log;
    private final Duration silence;
    private final Thread thread = new Thread(this::run, "hereabouts-router-living-edges");
    private volatile Set<EdgeId> living = Set.of();
    private volatile boolean closed;

    private LivingEdges(EdgesLog log, Duration silence) {
        this.log = log;
        this.silence = silence;
        thread.setDaemon(true);
    }

    /**
     * Reads what there is, then goes on.
     *
     * @throws KafkaException if Kafka does not answer
     */
    static LivingEdges follow(RouterConfig config) {
        EdgesLog log = new EdgesLog(config.kafka(), "hereabouts-router-living-edges", config.topics());
        LivingEdges edges = new LivingEdges(log, config.edgeSilence());
        try {
            log.readToEnd();
        } catch (KafkaException e) {
            log.close();
            throw e;
        }
        edges.look();
        edges.thread.start();
        return edges;
    }

    boolean contains(EdgeId edge) {
        return living.contains(edge);
    }

    private void run() {
        try (log) {
            while (!closed) {
                step();
            }
        } catch (InterruptException e) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    private void step() {
        try {
            log.read(news -> {});
            look();
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("which edges live is not known better than before: {}", e.toString());
        }
    }

    private void look() {
        Set<EdgeId> now = living(log.register(), silence);
        if (!now.equals(living)) {
            LOG.info("edges that live: {}", now);
            living = now;
        }
    }

    /** Which have a lease that is not older than that, compared with the last record of all. */
    static Set<EdgeId> living(EdgeRegister register, Duration silence) {
        Set<EdgeId> all = new HashSet<>(register.leases().keySet());
        register.silentFor(silence).forEach(all::remove);
        return all;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
