package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.StartException;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What a change of the world costs while many neighborhoods are subscribed. A road moves from one zone into another while
 * its state is published every millisecond: how many neighborhoods are resolved again, and how long it takes from the
 * commit to the first delivery by the new set, beside one resolution and beside a delivery while nothing changes. What is
 * published before the change must come by the old neighborhood and what is published after it by the new one; what is
 * published between them by one of the two, by both or by none, for each follows the world by itself.
 */
public final class ChangeBenchmark implements AutoCloseable {

    private static final String TOPIC = "state";
    private static final int SUBSCRIBERS = 10;
    private static final long ARRIVAL_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final double MOST_AFFECTED = 4;

    private final ChangeParameters parameters;
    private final Progress progress;
    private final GridWorld world;
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Arrivals arrivals = new Arrivals();
    private final List<MqttClient> clients = new ArrayList<>();
    private int published;
    private int proofs;
    private int proven;
    private int refused;

    private ChangeBenchmark(ChangeParameters parameters, Progress progress) {
        this.parameters = parameters;
        this.progress = progress;
        this.world = new GridWorld(parameters.entities(), parameters.neighborhoods(), parameters.seed());
    }

    /**
     * Measures, on a stack in this process.
     *
     * @throws MeasurementException if something did not start or did not answer
     */
    public static Result run(ChangeParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        try (WorkFolder folder = WorkFolder.create();
                ChangeBenchmark benchmark = new ChangeBenchmark(parameters, progress)) {
            StackSettings settings = Settings.load(
                    Optional.empty(),
                    Map.of("data", folder.path().resolve("stack").toString(), "kafka.port", "0", "mqtt.port", "0"),
                    Map.of());
            progress.line("starting a stack with " + parameters.entities() + " entities");
            try (EmbeddedStack stack = EmbeddedStack.launch(settings, benchmark.meters, benchmark.world.entities());
                    WorldTarget target = WorldTarget.open(settings, stack.wiring())) {
                benchmark.run(new MqttAddress("127.0.0.1", stack.mqttPort()), target, result);
            }
        } catch (InvalidSettingsException | StartException | WorldUnavailableException e) {
            throw new MeasurementException("the stack failed", e);
        }
        return result.build();
    }

    private void run(MqttAddress edge, WorldTarget target, Result.Builder result)
            throws MeasurementException, InterruptedException, WorldUnavailableException {
        subscribe(edge);
        MqttClient publisher = MqttClient.connect(edge, "perf-publisher", message -> {});
        clients.add(publisher);
        List<Round> rounds = new ArrayList<>();
        for (int r = 0; r <= parameters.rounds(); r++) {
            Round round = round(publisher, target);
            progress.line(String.format(
                    Locale.ROOT,
                    "%s: first delivery by the new set after p50 %.2f ms",
                    r == 0 ? "warm-up" : "round " + r + " of " + parameters.rounds(),
                    millis(round.switches, 50)));
            if (r > 0) {
                rounds.add(round);
            }
        }
        report(rounds, result);
    }

    /** What one round found. */
    private static final class Round {
        final Histogram switches = new Histogram(3);
        final Histogram quiet = new Histogram(3);
        double lookedAt;
        double affected;
        double lookMillis;
        double resolutionMillis;
    }

    private void subscribe(MqttAddress edge) throws MeasurementException, InterruptedException {
        progress.line("subscribing to " + parameters.neighborhoods() + " neighborhoods");
        long begin = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(SUBSCRIBERS);
        try {
            List<Future<Integer>> shares = new ArrayList<>();
            for (int s = 0; s < SUBSCRIBERS; s++) {
                MqttClient client = MqttClient.connect(edge, "perf-subscriber-" + s, arrivals::received);
                clients.add(client);
                int first = s;
                shares.add(threads.submit(() -> subscribe(client, first)));
            }
            for (Future<Integer> share : shares) {
                refused += share.get();
            }
        } catch (ExecutionException e) {
            throw new MeasurementException("cannot subscribe", e.getCause() == null ? e : e.getCause());
        } finally {
            threads.shutdownNow();
        }
        progress.line(String.format(Locale.ROOT, "subscribed after %.1f s", (System.nanoTime() - begin) / 1e9));
    }

    /** How many were refused. */
    private int subscribe(MqttClient client, int first) throws MeasurementException, InterruptedException {
        int refusals = 0;
        for (int zone = first; zone < parameters.neighborhoods(); zone += SUBSCRIBERS) {
            refusals += client.subscribe(TOPIC, 1, GridWorld.descriptor(zone), name(zone))
                            .refused()
                    ? 1
                    : 0;
        }
        return refusals;
    }

    private Round round(MqttClient publisher, WorldTarget target)
            throws MeasurementException, InterruptedException, WorldUnavailableException {
        Round round = new Round();
        double spared = count("spared");
        double affected = count("affected");
        Timer looks = meters.timer("hereabouts.resolver.world.changes");
        Timer resolutions = meters.timer("hereabouts.resolver.resolutions", "outcome", "resolved");
        double lookMillis = looks.totalTime(TimeUnit.MILLISECONDS);
        double resolutionMillis = resolutions.totalTime(TimeUnit.MILLISECONDS);
        long resolved = resolutions.count();
        for (int c = 0; c < parameters.changes(); c++) {
            change(publisher, target, round);
        }
        int changes = parameters.changes();
        round.affected = (count("affected") - affected) / changes;
        round.lookedAt = (count("spared") - spared) / changes + round.affected;
        round.lookMillis = (looks.totalTime(TimeUnit.MILLISECONDS) - lookMillis) / changes;
        round.resolutionMillis = (resolutions.totalTime(TimeUnit.MILLISECONDS) - resolutionMillis)
                / Math.max(1, resolutions.count() - resolved);
        return round;
    }

    private void change(MqttClient publisher, WorldTarget target, Round round)
            throws MeasurementException, InterruptedException, WorldUnavailableException {
        int road = world.someRoad();
        arrivals.watch(name(world.zoneOf(road)));
        long sent = System.nanoTime();
        prove(publisher, road);
        round.quiet.recordValue((arrivals.lastAt() - sent) / 1_000);

        target.upsert(world.move(road));
        arrivals.watch(name(world.zoneOf(road)));
        target.finish();
        long committed = System.nanoTime();
        while (!arrivals.any()) {
            publish(publisher, road);
            if (System.nanoTime() - committed > ARRIVAL_NANOS) {
                throw new MeasurementException("the stack does not follow the world");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        round.switches.recordValue(Math.max(0, arrivals.firstAt() - committed) / 1_000);
        prove(publisher, road);
    }

    /** Publishes once; it must come by the neighborhood that the road is in. */
    private void prove(MqttClient publisher, int road) throws InterruptedException {
        int number = publish(publisher, road);
        proofs++;
        proven += arrivals.await(number, ARRIVAL_NANOS) ? 1 : 0;
    }

    private int publish(MqttClient publisher, int road) {
        int number = published++;
        var unused = publisher.publish(Mqtt5Publish.builder()
                .topic(TOPIC)
                .qos(MqttClient.qos(1))
                .payload(String.valueOf(number).getBytes(StandardCharsets.UTF_8))
                .userProperties(MqttClient.about(GridWorld.id(road)))
                .build());
        return number;
    }

    private void report(List<Round> rounds, Result.Builder result) {
        Measurement switches =
                figure("commit to first delivery by the new set: p50", "ms", rounds, r -> millis(r.switches, 50));
        Measurement resolution = figure("one resolution", "ms", rounds, r -> r.resolutionMillis);
        Measurement quiet = figure("a delivery while nothing changes: p50", "ms", rounds, r -> millis(r.quiet, 50));
        Measurement affected = figure("neighborhoods resolved again for a change", "", rounds, r -> r.affected);
        result.note("a stack in this process, its world in memory; one road moves in each change")
                .figure(figure("neighborhoods looked at for a change", "", rounds, r -> r.lookedAt))
                .figure(affected)
                .figure(figure("looking at them", "ms", rounds, r -> r.lookMillis))
                .figure(resolution)
                .figure(quiet)
                .figure(switches)
                .figure(figure(
                        "commit to first delivery by the new set: p99", "ms", rounds, r -> millis(r.switches, 99)))
                .figure(Measurement.ratio("commit to first delivery, ÷ one resolution", switches, resolution))
                .figure(Measurement.ratio("commit to first delivery, ÷ a delivery", switches, quiet))
                .target(Target.atMost(MOST_AFFECTED, affected))
                .book("neighborhoods refused", 0, refused)
                .book("publications before and after a change", proofs, proven);
    }

    private static Measurement figure(String of, String unit, List<Round> rounds, ToDoubleFunction<Round> value) {
        return new Measurement(
                of, unit, rounds.stream().mapToDouble(value).boxed().toList());
    }

    private double count(String outcome) {
        Counter counter = meters.find("hereabouts.resolver.footprints")
                .tag("outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    private static String name(int zone) {
        return "n" + zone;
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1e3;
    }

    @Override
    public void close() {
        clients.forEach(MqttClient::close);
    }
}
