package io.hereabouts.bridge;

import io.hereabouts.bridge.EdgeConfig.Limits;
import io.hereabouts.bridge.access.Audit;
import io.hereabouts.bridge.claim.EarlierClaims;
import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.hivemq.Bridge;
import io.hereabouts.bridge.hivemq.EmbeddedBroker;
import io.hereabouts.bridge.hivemq.HostBroker;
import io.hereabouts.bridge.hivemq.SurroundingBroker;
import io.hereabouts.bridge.kafka.ClaimReader;
import io.hereabouts.bridge.kafka.CompactedTable;
import io.hereabouts.bridge.kafka.DeliveryReader;
import io.hereabouts.bridge.kafka.EdgeProducer;
import io.hereabouts.bridge.kafka.EdgeTopics;
import io.hereabouts.bridge.kafka.HandingOn;
import io.hereabouts.bridge.kafka.KafkaHealth;
import io.hereabouts.bridge.kafka.Lease;
import io.hereabouts.bridge.kafka.LeaseWatch;
import io.hereabouts.bridge.kafka.Leftovers;
import io.hereabouts.bridge.kafka.MessageWriter;
import io.hereabouts.bridge.kafka.PreviousRun;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.kafka.Qos0Room;
import io.hereabouts.bridge.kafka.RetainedWriter;
import io.hereabouts.bridge.kafka.SubscriptionEffects;
import io.hereabouts.bridge.loop.ClientReport;
import io.hereabouts.bridge.loop.DeliveryOutput;
import io.hereabouts.bridge.loop.EdgeHealth;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.loop.EdgeState;
import io.hereabouts.bridge.loop.GenerationChange;
import io.hereabouts.bridge.loop.Housekeeping;
import io.hereabouts.bridge.loop.LeavingGroups;
import io.hereabouts.bridge.loop.SessionComparison;
import io.hereabouts.bridge.publish.PublishRules;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.bridge.subscription.AppliedPositions;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.ops.HealthCheck;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running edge: an MQTT 5 broker that takes spatial publications to Kafka and brings back those that its clients'
 * neighborhoods contain. Everything it starts it stops, in reverse.
 */
public final class Edge implements AutoCloseable, HealthCheck {

    private static final Logger LOG = LoggerFactory.getLogger(Edge.class);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration TICK = Duration.ofMillis(100);
    /** A run sends fewer than 2^20 copies to one client in a millisecond. */
    private static final int TOKEN_BITS = 20;

    private final HostBroker broker;
    private final EdgeHealth health;
    private final EdgeLoop loop;
    private final EdgeState state;
    private final CompletableFuture<String> end;
    private final Deque<AutoCloseable> started;

    private Edge(
            HostBroker broker,
            EdgeHealth health,
            EdgeLoop loop,
            EdgeState state,
            CompletableFuture<String> end,
            Deque<AutoCloseable> started) {
        this.broker = broker;
        this.health = health;
        this.loop = loop;
        this.state = state;
        this.end = end;
        this.started = started;
        // not on the thread that noticed, which is one of those that are stopped
        var unused = end.thenRunAsync(this::close, task -> new Thread(task, "hereabouts-edge-end").start());
    }

    /** Opens the broker that the gates are put into. */
    private interface Host {
        HostBroker open(Bridge bridge) throws InterruptedException;
    }

    /**
     * Starts an edge with a broker of its own; it listens when this returns.
     *
     * @throws IllegalStateException saying what is wrong: Kafka topics that are missing or have other partitions than
     *     configured, an address in use
     */
    public static Edge launch(EdgeConfig config, MeterRegistry registry) {
        return start(config, registry, bridge -> EmbeddedBroker.start(EdgeBroker.settings(config), bridge));
    }

    /**
     * Starts an edge in the HiveMQ that is just starting, whose configuration decides where it listens; to be called in an
     * {@code extensionStart} only.
     *
     * @param admitsAll whether clients get in that no other extension lets in
     * @throws IllegalStateException as {@link #launch} does
     */
    public static Edge enter(EdgeConfig config, boolean admitsAll, MeterRegistry registry) {
        return start(config, registry, bridge -> SurroundingBroker.enter(bridge, admitsAll));
    }

    private static Edge start(EdgeConfig config, MeterRegistry registry, Host host) {
        Deque<AutoCloseable> started = new ArrayDeque<>();
        try {
            return start(config, registry, host, started);
        } catch (InterruptedException e) {
            closeAll(started);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while starting edge " + config.edge(), e);
        } catch (RuntimeException e) {
            closeAll(started);
            throw e;
        }
    }

    private static Edge start(EdgeConfig config, MeterRegistry registry, Host host, Deque<AutoCloseable> started)
            throws InterruptedException {
        EdgeId id = config.edge();
        Limits limits = config.limits();
        TopicCatalogue topics = config.topics();
        String name = "hereabouts-edge-" + id;
        Clock clock = Clock.systemUTC();
        EdgeMetrics metrics = new EdgeMetrics(registry);
        Generations generations = EdgeGenerations.read(config, name);
        EdgeTopics.check(config.kafka(), topics.at(generations.current()));

        KafkaHealth health = new KafkaHealth();
        EdgeProducer publications = opened(
                started,
                EdgeProducer.open(
                        config.kafka(),
                        name + "-publications",
                        limits.publishTimeout(),
                        List.of(
                                topics.at(generations.published()).publications(),
                                topics.retained(),
                                topics.messages()),
                        health));
        EdgeProducer patient = opened(
                started,
                EdgeProducer.openPatient(
                        config.kafka(),
                        name + "-publications-qos-2",
                        List.of(
                                topics.at(generations.published()).publications(),
                                topics.retained(),
                                topics.messages()),
                        health));
        EdgeProducer control = opened(
                started,
                EdgeProducer.open(
                        config.kafka(),
                        name + "-control",
                        limits.publishTimeout(),
                        List.of(
                                topics.interests(),
                                topics.subscriptions(),
                                topics.wills(),
                                topics.sessions(),
                                topics.edges()),
                        health));

        EdgeLoop loop = opened(started, new EdgeLoop(name));
        String run = UUID.randomUUID().toString();
        Lease lease = new Lease(
                id,
                topics.deliveries(id),
                generations.published().number(),
                new CompactedTable(control, topics.edges(), loop),
                clock,
                run);
        Qos0Room room = new Qos0Room(limits.qos0Bytes());
        PublicationWriter writer =
                new PublicationWriter(publications, patient, topics.at(generations.published()), room);
        Audit audit = new Audit(clock);
        EdgeClients clients = EdgeClients.of(config, run, control, writer, loop, metrics, audit, clock);
        CompletableFuture<String> end = new CompletableFuture<>();
        LeaseWatch watch =
                opened(started, EdgeLease.watch(config, name, run, lease, clients, loop, control, metrics, end));

        EdgeTopics.create(config.kafka(), topics, id);
        EarlierClaims claimed = PreviousRun.settle(
                config.kafka(),
                name + "-left-behind",
                topics.at(generations.published()),
                id,
                clock,
                config.keepsSessions());
        Leftovers.Found left = Leftovers.take(
                config.kafka(),
                name + "-leftovers",
                topics,
                id,
                control,
                client -> config.keepsSessions() && !claimed.isElsewhere(client));

        SubscriptionEffects effects = new SubscriptionEffects(
                id,
                new CompactedTable(control, topics.interests(), loop),
                control.partitionsOf(topics.interests()),
                new CompactedTable(control, topics.subscriptions(), loop),
                control.partitionsOf(topics.subscriptions()));
        Subscriptions subscriptions = new Subscriptions(
                id,
                effects,
                new AppliedPositions(),
                generations.all().stream().map(Generation::number).toList(),
                limits.retry().toMillis(),
                new SecureRandom().nextLong() >>> 2);
        DeliveryOutput output = new DeliveryOutput(loop, metrics, clock, config.disconnectsSlow());
        ClientDeliveries deliveries = new ClientDeliveries(
                output,
                new ClientDeliveries.Bounds(
                        limits.window(), limits.queue(), limits.pendingBytes(), config.keepsSessions()),
                clock.millis() << TOKEN_BITS);
        EdgeRetained retained = opened(started, EdgeRetained.load(config, name, clock, metrics));
        EdgeState state = new EdgeState(
                id,
                config.keepsSessions() ? clock.millis() : 0,
                subscriptions,
                deliveries,
                new StatusBoard(subscriptions.table(), output),
                retained.deliveries(subscriptions.table(), deliveries),
                output,
                new HandingOn(writer::handOn, loop),
                metrics);
        output.reportsTo(deliveries);
        CompletableFuture.runAsync(
                        () -> {
                            left.groups().forEach(subscriptions.groups()::note);
                            left.kept().forEach(s -> subscriptions.restore(s, clock.millis()));
                        },
                        loop)
                .join();

        DeliveryReader reader = DeliveryReader.open(
                config.kafka(),
                name + "-deliveries",
                topics.deliveries(id),
                !config.keepsSessions()
                        ? DeliveryReader.Start.END
                        : left.kept().isEmpty()
                                ? DeliveryReader.Start.CONTINUE
                                : DeliveryReader.Start.CONTINUE_OR_BEGINNING,
                topics.deliveriesGroup(id),
                state::remember,
                batch -> state.received(loop, batch, clock),
                gap -> metrics.dropped("retention", 1),
                () -> metrics.ignored("failed_batch"));
        opened(started, reader);

        clients.endIn(state, output);
        ClaimReader claims = opened(started, clients.follow(config, name, loop));
        GenerationChange change = new GenerationChange(loop, topics, generations, writer, subscriptions, lease, clock);
        RetainedWriter retainedWriter = retained.writer(writer, publications);
        clients.retainBy(retainedWriter);
        EdgeAccess access = opened(started, EdgeAccess.open(config, name, clock, metrics));
        SessionComparison comparison =
                new SessionComparison(loop, state, output, clients.records().claims(), claimed, metrics, clock);
        Bridge bridge = new Bridge(
                id,
                config.userProperties(),
                new DescriptorParser(config.descriptors()),
                new PublishRules(config.userProperties().entity(), limits.maxPayloadBytes(), access::isKnown),
                writer,
                retainedWriter,
                config.carried(),
                new MessageWriter(publications, patient, topics.messages(), room),
                health::isDown,
                loop,
                state,
                metrics,
                clock,
                limits.publishTimeout(),
                limits.subscribeTimeout(),
                audit,
                access.access(),
                access,
                clients.records(),
                comparison,
                config.inPipeline());
        Housekeeping housekeeping = new Housekeeping(
                loop,
                state,
                effects,
                clients.records(),
                lease,
                watch,
                change,
                output,
                clock,
                limits.retry(),
                config.keepsSessions(),
                comparison,
                limits.compare());
        opened(started, housekeeping);
        HostBroker broker = opened(started, host.open(bridge));
        output.deliverTo(broker.services());
        opened(started, output::deliverToNobody);
        // a second time: it is to end before the broker does
        opened(started, reader);
        reader.begin();
        if (!config.carried().isEmpty()) {
            opened(started, EdgeMessages.follow(config, name, output, metrics, clock));
        }
        housekeeping.start(TICK, limits.heartbeat());
        if (watch.loss().isPresent()) {
            throw new IllegalStateException(watch.loss().get());
        }
        GenerationsTopic followed = opened(started, EdgeGenerations.follow(config, name, change));
        opened(started, change);
        access.follow(loop, subscriptions, followed::now);
        retained.start(reader, followed::now, loop, state);
        if (!config.keepsSessions()) {
            opened(
                    started,
                    new LeavingGroups(loop, state, effects, () -> watch.loss().isPresent(), clock));
        }
        metrics.gauge("hereabouts.edge.subscriptions", id, () -> state.figures().subscriptions());
        metrics.gauge("hereabouts.edge.interests", id, () -> state.figures().interests());
        metrics.gauge(
                "hereabouts.edge.interests.waiting", id, () -> state.figures().waitingInterests());
        metrics.gauge("hereabouts.edge.pending.bytes", id, () -> state.figures().pendingBytes());
        metrics.gauge("hereabouts.edge.in.flight", id, () -> state.figures().inFlight());
        metrics.gauge("hereabouts.edge.lag", id, reader::lag);
        return new Edge(
                broker,
                new EdgeHealth(
                        loop,
                        reader,
                        retained.reader(),
                        claims,
                        followed,
                        health,
                        lease,
                        watch,
                        broker::listener,
                        clock,
                        limits.heartbeat()),
                loop,
                state,
                end,
                started);
    }

    /** The port of the broker's first listener, once it listens. */
    public int port() {
        return broker.listener().getPort();
    }

    /** The ports of an edge that has a broker of its own. */
    public Map<MqttListener, Integer> ports() {
        return broker.ports();
    }

    /**
     * What is known of a client; empty if it is not connected here and has nothing subscribed.
     *
     * @throws IllegalStateException if the edge's thread does not answer within {@link #ANSWER}
     */
    public Optional<ClientReport> client(String client) {
        try {
            return CompletableFuture.supplyAsync(() -> state.report(client), loop)
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IllegalStateException("the edge does not say what it knows of a client", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking the edge", e);
        }
    }

    /**
     * Completed with the reason when the edge has lost its lease: it stops serving by itself. Where its broker is not its
     * own, that has to be stopped, too.
     */
    public CompletionStage<String> end() {
        return end.minimalCompletionStage();
    }

    /** One of the threads it lives by has ended, or it has lost its lease. */
    @Override
    public Optional<String> dead() {
        return health.dead();
    }

    /** Not ready while Kafka does not answer, its lease is not in Kafka, or clients cannot connect. */
    @Override
    public List<String> notReady() {
        return health.notReady();
    }

    /** Stops the broker if it is the edge's own, withdraws what the edge asked for in Kafka, and stops. */
    @Override
    public void close() {
        closeAll(started);
    }

    private static <T extends AutoCloseable> T opened(Deque<AutoCloseable> started, T what) {
        started.push(what);
        return what;
    }

    private static void closeAll(Deque<AutoCloseable> started) {
        synchronized (started) {
            while (!started.isEmpty()) {
                AutoCloseable next = started.pop();
                try {
                    next.close();
                } catch (Exception e) {
                    LOG.warn("{} did not close: {}", next, e.toString());
                }
            }
        }
    }
}
