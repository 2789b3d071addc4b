package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.ops.HealthCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one part for each generation that there is: starts one for a generation that is being prepared, tells it when that
 * is the current one, and closes the one of a generation that is no more. Thread-safe.
 *
 * @param <P> what is kept
 */
public final class PerGeneration<P extends PerGeneration.Part> implements AutoCloseable, HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(PerGeneration.class);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** One that was given up and made anew may have the same number and other partitions. */
    private static final Comparator<Generation> ORDER =
            Comparator.comparingInt(Generation::number).thenComparingInt(Generation::partitions);

    /** What there is one of for each generation. */
    public interface Part extends HealthCheck, AutoCloseable {
        @Override
        void close();
    }

    /**
     * How parts come and go. For one thread.
     *
     * @param <P> what is kept
     */
    public interface Parts<P> {
        /**
         * Starts one.
         *
         * @param isCurrent whether it is to do all of its work at once
         */
        P start(Generation generation, boolean isCurrent) throws InterruptedException;

        /** It is to do all of its work; may be said more than once. */
        void becomeCurrent(P part);
    }

    private final String name;
    private final Parts<P> parts;
    private final NavigableMap<Generation, P> running = new ConcurrentSkipListMap<>(ORDER);
    private final Map<Generation, String> problems = new ConcurrentHashMap<>();
    private final ScheduledExecutorService worker;
    private final GenerationsTopic topic;

    private PerGeneration(String name, Parts<P> parts, GenerationsTopic topic) {
        this.name = name;
        this.parts = parts;
        this.topic = topic;
        this.worker = Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, name + "-generations"));
    }

    /**
     * Starts a part for each generation that there is now, and goes on doing so.
     *
     * @param name begins the names of threads and of Kafka clients
     * @param topics as the settings have them
     * @throws IllegalStateException if Kafka does not say which generations there are
     * @throws RuntimeException what the start of the current generation's part throws
     */
    public static <P extends PerGeneration.Part> PerGeneration<P> start(
            String name, KafkaConnection kafka, TopicCatalogue topics, Parts<P> parts) throws InterruptedException {
        PerGeneration<P> kept;
        try {
            kept = new PerGeneration<>(
                    name,
                    parts,
                    GenerationsTopic.follow(kafka, name + "-generations", topics, READ_TIMEOUT, change -> {}));
        } catch (TimeoutException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        try {
            Generation current = kept.topic.now().current();
            kept.running.put(current, parts.start(current, /* isCurrent= */ true));
        } catch (InterruptedException | RuntimeException e) {
            kept.close();
            throw e;
        }
        var unused = kept.worker.scheduleWithFixedDelay(kept::adaptAndGoOn, 0, RETRY.toMillis(), TimeUnit.MILLISECONDS);
        return kept;
    }

    /** The part of the current generation, or of the one before if that is still being started. */
    public P current() {
        P part = running.get(topic.now().current());
        return part == null ? running.firstEntry().getValue() : part;
    }

    /** A task that throws would be the last one. */
    private void adaptAndGoOn() {
        try {
            adapt();
        } catch (RuntimeException e) {
            LOG.error("{}: could not follow the generations, tries again", name, e);
        }
    }

    private void adapt() {
        Generations now = topic.now();
        for (Generation generation : now.all()) {
            if (!running.containsKey(generation)) {
                start(generation, generation.equals(now.current()));
            }
        }
        P current = running.get(now.current());
        if (current == null) {
            return;
        }
        parts.becomeCurrent(current);
        for (Iterator<Map.Entry<Generation, P>> all = running.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Generation, P> part = all.next();
            if (!now.all().contains(part.getKey())) {
                LOG.info("{}: {} is no more", name, part.getKey());
                part.getValue().close();
                all.remove();
            }
        }
        problems.keySet().retainAll(now.all());
    }

    private void start(Generation generation, boolean isCurrent) {
        try {
            LOG.info("{}: starts for {}", name, generation);
            running.put(generation, parts.start(generation, isCurrent));
            problems.remove(generation);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            problems.put(generation, String.valueOf(e.getMessage()));
            LOG.warn("{}: cannot start for {}, tries again: {}", name, generation, e.toString());
        }
    }

    @Override
    public Optional<String> dead() {
        if (!topic.isAlive()) {
            return Optional.of("the thread that follows the generations has ended");
        }
        return running.values().stream().flatMap(part -> part.dead().stream()).findFirst();
    }

    @Override
    public List<String> notReady() {
        List<String> reasons = new ArrayList<>();
        problems.forEach((generation, problem) -> reasons.add("cannot start for " + generation + ": " + problem));
        running.forEach((generation, part) -> part.notReady()
                .forEach(reason -> reasons.add(
                        running.size() == 1 ? reason : "generation " + generation.number() + ": " + reason)));
        return reasons;
    }

    @Override
    public void close() {
        topic.close();
        worker.shutdown();
        try {
            if (!worker.awaitTermination(5, TimeUnit.SECONDS)) {
                worker.shutdownNow();
                worker.awaitTermination(30, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            worker.shutdownNow();
            Thread.currentThread().interrupt();
        }
        running.values().forEach(Part::close);
        running.clear();
    }
}
