package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.Graph;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Filter time over time, from the first publication of a process that has compiled nothing yet: detectors and roads of
 * Berlin publish, neighborhoods are what intersects areas of the city. First in memory, then in a database.
 */
public final class RealBenchmark {

    private static final int MILLIS = 1_000;
    private static final int DRAWN = 50_000;
    private static final double LEAST_SHARE = 0.0005;
    private static final double MOST_SHARE = 0.01;
    private static final ResolveCase IN_AN_AREA = new ResolveCase(
            "detectors and roads in an area",
            true,
            ResolveCase.Kind.AREA,
            false,
            "{\"references\": [REFERENCE], \"categories\": [\"detector\", \"road\"], \"where\": {\"relation\": \"intersects\"}}",
            0,
            "");

    private RealBenchmark() {}

    /**
     * Measures.
     *
     * @throws MeasurementException if the data cannot be read, is too little, or the server refuses something
     */
    public static Result run(RealParameters parameters, PostgisServer server, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(server));
        Random random = new Random(parameters.seed());
        try (OwnDatabase database = OwnDatabase.create(server);
                Connection connection = database.connect();
                IndexMapping index = new IndexMapping(MappingCase.NONE);
                PairTable table = PairTable.fill(connection, MappingCase.NONE)) {
            List<EntityId> publishers = fill(parameters, server, List.of(index, table), random, progress);
            OwnDatabase.execute(connection, "VACUUM ANALYZE pair");
            List<EntityId> drawn = IntStream.range(0, DRAWN)
                    .mapToObj(i -> publishers.get(random.nextInt(publishers.size())))
                    .toList();
            List<Double> memory = measure("memory", index, drawn, parameters, progress);
            List<Double> inDatabase = measure("database", table, drawn, parameters, progress);
            long equal = 0;
            for (EntityId publisher : publishers) {
                equal += Arrays.equals(sorted(index, publisher), sorted(table, publisher)) ? 1 : 0;
            }
            report(result, memory, inDatabase);
            result.book("publishers with equal answers", parameters.publishers(), equal);
        } catch (SQLException | WorldUnavailableException | UnresolvableException e) {
            Interrupts.check();
            throw new MeasurementException("real", e);
        }
        return result.build();
    }

    private static long[] sorted(FilterMapping mapping, EntityId publisher) throws SQLException {
        long[] handles = mapping.handles(publisher);
        Arrays.sort(handles);
        return handles;
    }

    /** Resolves the neighborhoods and adds them to each mapping; the publishers. */
    private static List<EntityId> fill(
            RealParameters parameters,
            PostgisServer server,
            List<FilterMapping> mappings,
            Random random,
            Progress progress)
            throws MeasurementException, InterruptedException, SQLException, WorldUnavailableException,
                    UnresolvableException {
        progress.line("reading the city");
        List<PhysicalEntity> city =
                CityCopies.of(parameters.seed(), parameters.data()).one();
        Set<String> anywhere = new TreeSet<>();
        try (ResolveWorlds worlds = ResolveWorlds.fill(server, city, progress)) {
            Question.Source questions = new Question.Source(parameters.seed(), city);
            progress.line("resolving");
            for (int n = 0; n < parameters.neighborhoods(); ) {
                Interrupts.check();
                double share = LEAST_SHARE + (MOST_SHARE - LEAST_SHARE) * random.nextDouble();
                List<EntityId> of = worlds.memory().resolve(questions.next(IN_AN_AREA, share)).stream()
                        .map(id -> EntityId.of(String.valueOf(id)))
                        .toList();
                if (!of.isEmpty()) {
                    for (FilterMapping mapping : mappings) {
                        mapping.add(MappingCase.neighborhood(n), of);
                    }
                    of.forEach(id -> anywhere.add(id.value()));
                    n++;
                }
            }
        }
        if (anywhere.size() < parameters.publishers()) {
            throw new MeasurementException("only " + anywhere.size() + " entities are in a neighborhood, fewer than "
                    + parameters.publishers() + " publishers");
        }
        List<String> shuffled = new ArrayList<>(anywhere);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, parameters.publishers()).stream()
                .map(EntityId::of)
                .toList();
    }

    /** The filter time of each second. */
    private static List<Double> measure(
            String mode, FilterMapping mapping, List<EntityId> drawn, RealParameters parameters, Progress progress)
            throws SQLException, InterruptedException {
        progress.line(mode + ": " + parameters.seconds() + " s");
        List<Double> micros = new ArrayList<>();
        for (int second = 0; second < parameters.seconds(); second++) {
            Interrupts.check();
            micros.add(PacedLookups.run(mapping, drawn, parameters.rate(), MILLIS));
        }
        return micros;
    }

    private static void report(Result.Builder result, List<Double> memory, List<Double> database) {
        Measurement inMemory = new Measurement("filter time, memory", "µs", memory);
        Measurement inDatabase = new Measurement("filter time, database", "µs", database);
        result.figure(inMemory)
                .figure(new Measurement("filter time, memory, first second", "µs", memory.subList(0, 1)))
                .figure(inDatabase)
                .figure(new Measurement("filter time, database, first second", "µs", database.subList(0, 1)));
        Measurement ratio = Measurement.ratio("filter time, memory ÷ database", inMemory, inDatabase);
        result.figure(ratio).target(Target.atMost(1, ratio));
        result.note(String.format(Locale.ROOT, "%d values: the seconds from the first publication on", memory.size()));
        List<Double> seconds = IntStream.rangeClosed(1, memory.size())
                .mapToObj(s -> (double) s)
                .toList();
        result.graph(new Graph(
                "seconds",
                "filter time in Berlin",
                "seconds from the start",
                "µs",
                false,
                true,
                List.of(new Graph.Line("memory", seconds, memory), new Graph.Line("database", seconds, database))));
    }
}
