package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * What it costs to find the neighborhoods of a publication: in a router's index, and in a table of a database. Blocks of
 * lookups of the same entities take turns; both must find the same.
 */
public final class MappingBenchmark {

    private final MappingParameters parameters;
    private final Progress progress;
    private final Result.Builder result;

    private MappingBenchmark(MappingParameters parameters, Progress progress, Result.Builder result) {
        this.parameters = parameters;
        this.progress = progress;
        this.result = result;
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if the server refuses something
     */
    public static Result run(MappingParameters parameters, PostgisServer server, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(server));
        MappingBenchmark benchmark = new MappingBenchmark(parameters, progress, result);
        try (OwnDatabase database = OwnDatabase.create(server);
                Connection connection = database.connect()) {
            result.note(OwnDatabase.versions(connection));
            for (MappingCase shape : parameters.cases()) {
                benchmark.measure(shape, connection);
            }
        } catch (SQLException e) {
            Interrupts.check();
            throw new MeasurementException("mapping", e);
        }
        return result.build();
    }

    /** Nanoseconds of a block of lookups in either mode. */
    private record Round(Histogram index, Histogram table) {}

    private void measure(MappingCase shape, Connection connection) throws SQLException, InterruptedException {
        progress.line(shape.name() + ": writing");
        IndexMapping index = new IndexMapping(shape);
        List<Round> rounds = new ArrayList<>();
        Random random = new Random(parameters.seed());
        long found = 0;
        long equal = 0;
        try (PairTable table = PairTable.fill(connection, shape)) {
            for (int r = 0; r <= parameters.rounds(); r++) {
                Interrupts.check();
                List<EntityId> entities = Stream.generate(() -> shape.draw(random))
                        .limit(parameters.lookups())
                        .toList();
                Round round = new Round(new Histogram(3), new Histogram(3));
                List<long[]> inMemory = lookUp(index, entities, round.index);
                List<long[]> inDatabase = lookUp(table, entities, round.table);
                found += inMemory.stream().mapToLong(handles -> handles.length).sum();
                for (int i = 0; i < inMemory.size(); i++) {
                    equal += Arrays.equals(inMemory.get(i), inDatabase.get(i)) ? 1 : 0;
                }
                if (r > 0) {
                    rounds.add(round);
                }
            }
        }
        report(shape, rounds);
        long lookups = (1L + parameters.rounds()) * parameters.lookups();
        result.book(shape.name() + ": neighborhoods found", lookups * shape.fanOut(), found)
                .book(shape.name() + ": equal answers", lookups, equal);
    }

    /** The answers, each sorted. */
    private static List<long[]> lookUp(FilterMapping mapping, List<EntityId> entities, Histogram nanos)
            throws SQLException {
        List<long[]> answers = new ArrayList<>(entities.size());
        for (EntityId entity : entities) {
            long begin = System.nanoTime();
            long[] handles = mapping.handles(entity);
            nanos.recordValue(System.nanoTime() - begin);
            answers.add(handles);
        }
        answers.forEach(Arrays::sort);
        return answers;
    }

    private void report(MappingCase shape, List<Round> rounds) {
        Measurement memory = micros(shape, "memory", 50, rounds.stream().map(Round::index));
        Measurement database = micros(shape, "database", 50, rounds.stream().map(Round::table));
        result.figure(memory)
                .figure(micros(shape, "memory", 99, rounds.stream().map(Round::index)))
                .figure(database)
                .figure(micros(shape, "database", 99, rounds.stream().map(Round::table)))
                .figure(Measurement.ratio(shape.name() + ": p50, database ÷ memory", database, memory));
    }

    private static Measurement micros(MappingCase shape, String mode, int percentile, Stream<Histogram> nanos) {
        return new Measurement(
                shape.name() + ": " + mode + ", p" + percentile,
                "µs",
                nanos.map(round -> round.getValueAtPercentile(percentile) / 1e3).toList());
    }
}
