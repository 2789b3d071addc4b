package io.hereabouts.perf.mqtt;

import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.kafka.TableBenchmark;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Hereabouts beside what a user would pick instead, for the same work: each subscriber gets the publications about the
 * entities in its zone. In turn, with the same clients. For one thread.
 */
public final class AlternativesBenchmark implements AutoCloseable {

    private static final String STACK = "Hereabouts";
    private static final int WORKERS = 2;

    private final AlternativesParameters parameters;
    private final Progress progress;
    private final GridWorld world;
    private final long run = RunIds.fresh();
    private final String name = "perf/" + HexFormat.of().toHexDigits(run);
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<Alternative> alternatives = new ArrayList<>();

    private AlternativesBenchmark(AlternativesParameters parameters, Progress progress) {
        this.parameters = parameters;
        this.progress = progress;
        this.world = new GridWorld(parameters.zones() + parameters.entities(), parameters.zones(), parameters.seed());
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if something did not start, refused or stands still
     */
    public static Result run(AlternativesParameters parameters, Zones.Source source, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        try (TestBed bed = TestBed.open(StackChoice.embedded(), progress);
                AlternativesBenchmark benchmark = new AlternativesBenchmark(parameters, progress)) {
            benchmark.open(bed, source);
            benchmark.measure();
            benchmark.report(result);
        }
        TableBenchmark.run(parameters.routing(), progress, result);
        return result.note("CPU and bytes: of the whole machine, clients, brokers, Kafka and PostgreSQL together")
                .note("KTable: without topic filters and without MQTT, against the router alone")
                .build();
    }

    private void open(TestBed bed, Zones.Source source) throws MeasurementException, InterruptedException {
        write(bed);
        progress.line("connecting " + 4 * parameters.zones() + " subscribers");
        MqttAddress plain = bed.plainBroker();
        add(STACK, bed.edge(), "spatial", true, zone -> subscriber(name + "/spatial", zone, true, false));
        add(
                "topic per entity",
                plain,
                "topics",
                false,
                zone -> new Load.Subscriber(
                        roads(zone).mapToObj(road -> name + "/topics/" + road).toList(), null, isIn(zone), false));
        add("broadcast", plain, "all", false, zone -> subscriber(name + "/all", zone, false, true));
        String asking = name + "/query";
        List<PhysicalEntity> entities = world.entities();
        Zones zones = keep(source.fill(
                entities.subList(0, parameters.zones()), entities.subList(parameters.zones(), entities.size())));
        keep(QueryService.start(plain, asking, parameters.qos(), WORKERS, zones));
        add(
                "query a publication",
                plain,
                "query",
                false,
                zone -> new Load.Subscriber(List.of(QueryService.topicFilter(asking, zone)), null, isIn(zone), false));
    }

    private void write(TestBed bed) throws MeasurementException, InterruptedException {
        progress.line("adding " + parameters.entities() + " entities in " + parameters.zones() + " zones");
        try (WorldTarget target = WorldTarget.open(bed.settings(), bed.wiring())) {
            for (PhysicalEntity entity : world.entities()) {
                target.upsert(entity);
            }
            target.finish();
        } catch (WorldUnavailableException | InvalidSettingsException e) {
            throw new MeasurementException("the world cannot be written", e);
        }
        bed.awaitAccepted("perf-world", GridWorld.descriptor(parameters.zones() - 1));
    }

    private Load.Subscriber subscriber(String prefix, int zone, boolean spatial, boolean sorts) {
        @Nullable String descriptor = spatial ? GridWorld.descriptor(zone) : null;
        return new Load.Subscriber(List.of(prefix + "/#"), descriptor, isIn(zone), sorts);
    }

    private IntPredicate isIn(int zone) {
        return road -> world.zoneOf(road) == zone;
    }

    private IntStream roads(int zone) {
        return IntStream.range(0, parameters.entities()).filter(isIn(zone));
    }

    private void add(
            String of, MqttAddress broker, String topic, boolean spatial, IntFunction<Load.Subscriber> subscribers)
            throws MeasurementException, InterruptedException {
        Load.Plan plan = new Load.Plan(
                run,
                name + "/" + topic,
                IntStream.range(0, parameters.entities())
                        .mapToObj(GridWorld::id)
                        .toList(),
                spatial,
                IntStream.range(0, parameters.zones()).mapToObj(subscribers).toList(),
                parameters.qos(),
                parameters.payload(),
                parameters.seed());
        alternatives.add(new Alternative(of, keep(Load.open(broker, plan))));
    }

    private void measure() throws MeasurementException, InterruptedException {
        for (Alternative each : alternatives) {
            progress.line("warm-up: " + each.name());
            each.warmUp(parameters);
        }
        for (int r = 1; r <= parameters.rounds(); r++) {
            for (Alternative each : alternatives) {
                Round round = each.atRate(parameters);
                progress.line(String.format(
                        Locale.ROOT,
                        "latency, round %d of %d, %s: p50 %.2f ms",
                        r,
                        parameters.rounds(),
                        each.name(),
                        round.millis(50)));
            }
        }
        for (int r = 1; r <= parameters.rounds(); r++) {
            for (Alternative each : alternatives) {
                Round round = each.asFastAsItGoes(parameters);
                progress.line(String.format(
                        Locale.ROOT,
                        "throughput, round %d of %d, %s: %.0f/s",
                        r,
                        parameters.rounds(),
                        each.name(),
                        round.rate()));
            }
        }
    }

    private void report(Result.Builder result) {
        alternatives.forEach(each -> each.report(result));
        Alternative stack = alternatives.get(0);
        for (Alternative each : alternatives.subList(1, alternatives.size())) {
            stack.against(each, result);
        }
        alternatives.forEach(each -> each.book(result));
    }

    private <T extends AutoCloseable> T keep(T what) {
        opened.push(what);
        return what;
    }

    @Override
    public void close() throws MeasurementException {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                throw new MeasurementException("something did not close", e);
            }
        }
    }
}
