package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.EdgeRegister;
import io.hereabouts.schemas.kafka.EdgesLog;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
    private static final String NAME = "hereabouts-router-living-edges";
    private static final long JOIN_MILLIS = 5_000;
    private static final long AGAIN_MILLIS = 1_000;

    private final RouterConfig config;
    private final Thread thread = new Thread(this::run, NAME);
    private EdgesLog log;
    private volatile Set<EdgeId> living = Set.of();
    private volatile boolean closed;

    private LivingEdges(RouterConfig config) {
        this.config = config;
        this.log = open(config);
        thread.setDaemon(true);
    }

    /**
     * Reads what there is, then goes on.
     *
     * @throws KafkaException if Kafka does not answer
     */
    static LivingEdges follow(RouterConfig config) {
        LivingEdges edges = new LivingEdges(config);
        try {
            edges.log.readToEnd();
        } catch (KafkaException e) {
            edges.log.close();
            throw e;
        }
        edges.look();
        edges.thread.start();
        return edges;
    }

    private static EdgesLog open(RouterConfig config) {
        return new EdgesLog(config.kafka(), NAME, config.topics());
    }

    boolean contains(EdgeId edge) {
        return living.contains(edge);
    }

    private void run() {
        boolean behind = false;
        try {
            while (!closed) {
                behind = !step(behind);
            }
        } catch (InterruptException | InterruptedException e) {
            LOG.debug("{} ends", thread.getName());
        } finally {
            log.close();
        }
    }

    /** False if the log has to be read from its beginning: it may have been emptied under its reader. */
    private boolean step(boolean anew) throws InterruptedException {
        try {
            if (anew) {
                log.close();
                log = open(config);
                log.readToEnd();
            }
            log.read(news -> {});
            look();
            return true;
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("which edges live is not known better than before", e);
            TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            return false;
        }
    }

    private void look() {
        Set<EdgeId> now = living(log.register(), config.edgeSilence());
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
