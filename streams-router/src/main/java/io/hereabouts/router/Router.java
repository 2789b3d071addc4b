package io.hereabouts.router;

import io.hereabouts.schemas.kafka.ConsumerLag;
import io.hereabouts.schemas.kafka.PerGeneration;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running router. Several with one application id share the partitions; each partition has one owner at a time, and
 * one that is not told in time that it no longer is does no harm (see the decision record on Owner records).
 * Thread-safe.
 */
public final class Router implements PerGeneration.Part {

    private static final Logger LOG = LoggerFactory.getLogger(Router.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final KafkaFilterLoader kafkaLoader;
    private final KafkaEdgeTopics edges;
    private final HeldPublications publications;
    private final GroupProblems group;
    private final KafkaStreams streams;
    private final RouterMetrics metrics;
    private final Supplier<Number> lag;
    private final ThreadDeaths deaths = new ThreadDeaths();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Object stateChanged = new Object();

    /** Wraps the loader that is used; tests switch the load off here. */
    @FunctionalInterface
    interface LoaderChoice {
        FilterLoader choose(FilterLoader kafka);
    }

    private Router(RouterConfig config, RouterMetrics metrics, LoaderChoice choice, boolean held) {
        this.kafkaLoader = new KafkaFilterLoader(config, metrics);
        this.edges = new KafkaEdgeTopics(config);
        this.publications = new HeldPublications(config.topics().publications(), held);
        this.group = new GroupProblems(config);
        this.streams = new KafkaStreams(
                RouterTopology.build(config, choice.choose(kafkaLoader), edges, metrics),
                StreamsSettings.of(config),
                publications);
        this.metrics = metrics;
        this.lag = () -> ConsumerLag.of(streams.metrics(), config.topics().publications());
        metrics.routes(lag);
        streams.setUncaughtExceptionHandler(cause -> onThreadDeath(cause, metrics));
        streams.setStateListener((now, before) -> {
            LOG.info("router {} → {}", before, now);
            synchronized (stateChanged) {
                stateChanged.notifyAll();
            }
        });
    }

    /**
     * Starts a router: checks the Kafka topics, gives the group its offsets at the first start, joins it. Returns before
     * it routes, see {@link #awaitRunning}.
     *
     * @throws IllegalStateException if the Kafka topics are not as they must be, naming the command to run
     */
    public static Router launch(RouterConfig config, MeterRegistry registry) {
        return launch(config, registry, kafka -> kafka);
    }

    static Router launch(RouterConfig config, MeterRegistry registry, LoaderChoice choice) {
        return launch(config, new RouterMetrics(registry), choice, /* held= */ false);
    }

    /**
     * As the others.
     *
     * @param held whether it reads only the filters, and publications wait in Kafka until {@link #release}
     */
    static Router launch(RouterConfig config, RouterMetrics metrics, boolean held) {
        return launch(config, metrics, kafka -> kafka, held);
    }

    private static Router launch(RouterConfig config, RouterMetrics metrics, LoaderChoice choice, boolean held) {
        long lost;
        try (TopicAdmin topics = new TopicAdmin(config.kafka(), config.topics());
                Admin admin = Admin.create(config.kafka().base("hereabouts-router-start"))) {
            requireTopics(config, topics);
            lost = new GroupStart(admin, config).prepare();
        } catch (ExecutionException e) {
            throw new IllegalStateException("router: Kafka refused at start: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("router: interrupted at start", e);
        }
        Router router = new Router(config, metrics, choice, held);
        if (lost > 0) {
            metrics.lostToRetention(lost);
            router.problems.add(lost + " publications were deleted by retention before they were routed");
        }
        router.kafkaLoader.rehearse(FilterStore.rehearsal());
        router.streams.start();
        return router;
    }

    /** Publications are routed from now on. */
    void release() {
        publications.release();
    }

    private static void requireTopics(RouterConfig config, TopicAdmin admin)
            throws ExecutionException, InterruptedException {
        List<String> wrong = new ArrayList<>();
        for (TopicSpec topic : config.topics().ofGeneration()) {
            Optional<Integer> found = admin.partitionsOf(topic.name());
            if (found.isEmpty()) {
                wrong.add(topic.name() + " does not exist: run 'hereabouts topics init'");
            } else if (found.get() != topic.partitions()) {
                wrong.add(topic.name() + " " + config.topics().wrongPartitions(topic, found.get()));
            }
        }
        for (String topic : List.of(config.topics().edges(), config.topics().deadLetters())) {
            if (admin.partitionsOf(topic).isEmpty()) {
                wrong.add(topic + " does not exist: run 'hereabouts topics init'");
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("router: " + String.join("; ", wrong));
        }
    }

    /**
     * Waits until the router routes the partitions it was given.
     *
     * @throws TimeoutException if that takes longer
     * @throws IllegalStateException if it stopped instead
     */
    public void awaitRunning(Duration timeout) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (stateChanged) {
            while (streams.state() != KafkaStreams.State.RUNNING) {
                if (streams.state().hasCompletedShutdown()) {
                    throw new IllegalStateException("router stopped: " + streams.state() + " " + problems);
                }
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    throw new TimeoutException("router is " + streams.state() + " after " + timeout);
                }
                stateChanged.wait(left);
            }
        }
    }

    /** Kafka Streams has stopped: only a new process routes again. */
    @Override
    public Optional<String> dead() {
        KafkaStreams.State state = streams.state();
        return state == KafkaStreams.State.PENDING_ERROR || state.hasCompletedShutdown()
                ? Optional.of("Kafka Streams is " + state + " " + problems)
                : Optional.empty();
    }

    /**
     * Not ready while partitions are assigned or loaded, while Kafka does not answer, when the group's offsets are behind
     * what Kafka still has, and from a start that found publications deleted until the next one.
     */
    @Override
    public List<String> notReady() {
        List<String> reasons = new ArrayList<>(problems);
        KafkaStreams.State state = streams.state();
        if (state != KafkaStreams.State.RUNNING) {
            reasons.add("Kafka Streams is " + state + ", expected RUNNING");
        }
        reasons.addAll(group.now());
        return reasons;
    }

    private StreamThreadExceptionResponse onThreadDeath(Throwable cause, RouterMetrics metrics) {
        metrics.threadDied();
        boolean replace;
        synchronized (deaths) {
            replace = deaths.shouldReplace(cause, System.nanoTime());
        }
        if (replace) {
            LOG.error("a stream thread died and is replaced", cause);
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        LOG.error(
                "a stream thread died again, or for good: the router stops; restart it after seeing to the cause",
                cause);
        problems.add("stopped: " + cause);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** Commits, leaves the group so that others take over at once, and ends. */
    @Override
    public void close() {
        kafkaLoader.abandon();
        boolean ended = streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        if (!ended) {
            LOG.warn("router threads did not end within {}", CLOSE_TIMEOUT);
        }
        metrics.routesNoMore(lag);
        group.close();
        edges.close();
        kafkaLoader.close();
    }
}
