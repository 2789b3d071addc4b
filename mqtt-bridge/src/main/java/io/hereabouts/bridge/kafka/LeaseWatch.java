package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.EdgeNews;
import io.hereabouts.schemas.kafka.EdgeRegister;
import io.hereabouts.schemas.kafka.EdgesLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that follows what is said about this edge in the Kafka topic {@code edges}: it has the lease renewed when
 * somebody asks, and notices that the edge has lost it, to a process that answered when this one did not or because it
 * was taken for gone.
 */
public final class LeaseWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration JOIN = Duration.ofSeconds(5);

    /** Who claims a lease and finds another before its own gives up after one record. */
    private static final int HOLDS = 2;

    private final EdgesLog log;
    private final EdgeId edge;
    private final String run;
    private final String before;
    private final Map<String, Integer> rivals = new HashMap<>();
    private final Runnable asked;
    private final BiConsumer<Loss, String> lost;
    private final Thread thread;
    private volatile boolean closing;
    private volatile @Nullable String reason;

    /** How a lease is lost. */
    public enum Loss {
        /** Another process has it. */
        SUPERSEDED,
        /** A resolver took it away. */
        EXPIRED
    }

    private LeaseWatch(
            EdgesLog log, EdgeId edge, String run, String before, Runnable asked, BiConsumer<Loss, String> lost) {
        this.log = log;
        this.edge = edge;
        this.run = run;
        this.before = before;
        this.asked = asked;
        this.lost = lost;
        this.thread = new Thread(this::run, "hereabouts-edge-" + edge + "-lease");
        thread.setDaemon(true);
    }

    /**
     * Begins where the log stands.
     *
     * @param log closed with the watch
     * @param run of this process
     * @param before run of the process that had the lease and did not answer: should it wake, it is that one that ends
     * @param asked called when the lease is to be renewed
     * @param lost called once, from the thread of the watch, with the reason
     */
    public static LeaseWatch start(
            EdgesLog log, EdgeId edge, String run, String before, Runnable asked, BiConsumer<Loss, String> lost) {
        LeaseWatch watch = new LeaseWatch(log, edge, run, before, asked, lost);
        watch.thread.start();
        return watch;
    }

    /** Why this edge has lost its lease; empty as long as it has it. */
    public Optional<String> loss() {
        return Optional.ofNullable(reason);
    }

    private void run() {
        try (log) {
            while (!closing && reason == null) {
                try {
                    log.read(this::read);
                } catch (WakeupException | InterruptException e) {
                    return;
                } catch (KafkaException e) {
                    LOG.warn("edge {} does not see whether it still has its lease: {}", edge, e.toString());
                    TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    private void read(EdgeNews news) {
        if (!news.edge().equals(edge) || reason != null || closing) {
            return;
        }
        EdgeRegister.Lease lease = log.register().lease(edge);
        switch (news.kind()) {
            case QUESTION -> asked.run();
            case HEARTBEAT -> {
                if (lease != null
                        && !lease.run().equals(run)
                        && !lease.run().equals(before)
                        && rivals.merge(lease.run(), 1, Integer::sum) >= HOLDS) {
                    lose(Loss.SUPERSEDED, "it runs on host " + lease.host() + " now");
                }
            }
            case LEASE_GONE ->
                lose(
                        Loss.EXPIRED,
                        "it was taken for gone: nothing was heard of it for edge.expiry, nor when it was asked");
            case REMOVAL -> LOG.debug("removal of edge {}", edge);
        }
    }

    private void lose(Loss loss, String why) {
        String text = "edge '" + edge + "' has lost its lease: " + why;
        reason = text;
        lost.accept(loss, text);
    }

    /** Ends; what is said about the edge from now on does not count. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join(JOIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
