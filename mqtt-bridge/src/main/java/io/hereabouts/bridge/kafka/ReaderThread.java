package io.hereabouts.bridge.kafka;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a reader of Kafka: goes from step to step, whatever happens in one, until it is closed; then it closes the
 * consumer. A consumer that is woken up in a step only ends that step.
 */
final class ReaderThread implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReaderThread.class);
    private static final Duration AGAIN = Duration.ofMillis(100);

    /** Reads once, and deals with what has come. */
    interface Step {
        void run() throws InterruptedException;
    }

    private final KafkaConsumer<?, ?> consumer;
    private final Step step;
    private final Runnable bug;
    private final Runnable last;
    private final Duration join;
    private final Thread thread;
    private volatile boolean closed;

    /** A reader that has nothing to do at its end. */
    ReaderThread(String name, KafkaConsumer<?, ?> consumer, Step step) {
        this(name, consumer, step, () -> {}, () -> {}, Duration.ofSeconds(5));
    }

    /**
     * Not started yet.
     *
     * @param consumer closed with this
     * @param bug told when a step failed for no reason of Kafka's
     * @param last done on the thread when it ends, while the consumer is still open
     * @param join how long closing waits for the end
     */
    ReaderThread(String name, KafkaConsumer<?, ?> consumer, Step step, Runnable bug, Runnable last, Duration join) {
        this.consumer = consumer;
        this.step = step;
        this.bug = bug;
        this.last = last;
        this.join = join;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** False before the start, and once nothing is read any more. */
    boolean isAlive() {
        return thread.isAlive();
    }

    private void run() {
        try (consumer) {
            try {
                while (!closed) {
                    guarded();
                }
            } finally {
                last.run();
            }
        } catch (InterruptException | InterruptedException e) {
            LOG.debug("{} ends", thread.getName());
        }
    }

    private void guarded() throws InterruptedException {
        try {
            step.run();
        } catch (WakeupException e) {
            LOG.trace("{} was woken up", thread.getName());
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("{} goes on after {}", thread.getName(), e.toString());
            TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
        } catch (RuntimeException e) {
            // without this thread the edge would be up but deaf
            LOG.error("bug in the edge, {} goes on with the next step", thread.getName(), e);
            bug.run();
            TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (thread.getState() == Thread.State.NEW) {
            consumer.close();
            return;
        }
        consumer.wakeup();
        try {
            thread.join(join.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
