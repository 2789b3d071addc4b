package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What it costs to resolve a neighborhood: the world in memory, the world in PostGIS, and SQL written for the case on the
 * same tables take turns with the same references. All three have to give the same answer.
 */
public final class ResolveBenchmark {

    private static final double MOST_TIMES_SQL = 1.1;
    private static final double MOST_TIMES_FASTER = 1;
    private static final List<String> CONTENDERS = List.of("memory", "PostGIS", "SQL");
    private static final int MEMORY = 0;
    private static final int POSTGIS = 1;
    private static final int SQL = 2;

    private final ResolveParameters parameters;
    private final Progress progress;
    private final Result.Builder result;

    private ResolveBenchmark(ResolveParameters parameters, Progress progress, Result.Builder result) {
        this.parameters = parameters;
        this.progress = progress;
        this.result = result;
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if the server refuses something, or the city's data cannot be read
     */
    public static Result run(ResolveParameters parameters, PostgisServer server, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(server));
        ResolveBenchmark benchmark = new ResolveBenchmark(parameters, progress, result);
        CityCopies cities = CityCopies.of(parameters.seed(), parameters.data());
        for (int n : parameters.entities()) {
            String size = String.format(Locale.ROOT, "%,d", n);
            progress.line(size + " entities: writing");
            List<PhysicalEntity> entities = cities.entities(n);
            try (ResolveWorlds worlds = ResolveWorlds.fill(server, entities, progress)) {
                if (n == parameters.entities().get(0)) {
                    result.note(worlds.versions() + "; a time is the median of a round's questions");
                }
                benchmark.measure(size, entities, worlds);
            } catch (SQLException | WorldUnavailableException | UnresolvableException e) {
                Interrupts.check();
                throw new MeasurementException("resolve", e);
            }
        }
        return result.build();
    }

    private void measure(String size, List<PhysicalEntity> entities, ResolveWorlds worlds)
            throws SQLException, WorldUnavailableException, UnresolvableException, InterruptedException {
        List<Contender> contenders = List.of(worlds.memory(), worlds.postgis(), worlds.sql());
        Question.Source questions = new Question.Source(parameters.seed(), entities);
        Map<ResolveCase, List<ResolveRound>> counted = new LinkedHashMap<>();
        List<ResolveRound> all = new ArrayList<>();
        for (int r = 0; r <= parameters.rounds(); r++) {
            progress.line(size + ": " + (r == 0 ? "warm-up" : "round " + r + " of " + parameters.rounds()));
            for (ResolveCase shape : ResolveCases.ALL) {
                ResolveRound round = new ResolveRound(contenders);
                for (int q = 0; q < parameters.queries(shape); q++) {
                    Interrupts.check();
                    round.ask(questions.next(shape));
                }
                round.differences().forEach(progress::line);
                all.add(round);
                if (r > 0) {
                    counted.computeIfAbsent(shape, x -> new ArrayList<>()).add(round);
                }
            }
        }
        counted.forEach((shape, rounds) -> report(size, shape, rounds));
        for (int i : new int[] {POSTGIS, SQL}) {
            int contender = i;
            result.book(
                    size + ": answers of " + CONTENDERS.get(i) + " as in memory",
                    all.stream().mapToLong(ResolveRound::questions).sum(),
                    all.stream()
                            .mapToLong(round -> round.equalAnswers(contender))
                            .sum());
        }
    }

    private void report(String size, ResolveCase shape, List<ResolveRound> rounds) {
        String name = size + ", " + shape.name();
        List<Measurement> millis = IntStream.range(0, CONTENDERS.size())
                .mapToObj(i -> new Measurement(
                        name + ": " + CONTENDERS.get(i),
                        "ms",
                        rounds.stream().map(round -> round.millis(i)).toList()))
                .toList();
        Measurement faster = new Measurement(
                name + ": the faster in the database",
                "ms",
                rounds.stream()
                        .map(round -> Math.min(round.millis(POSTGIS), round.millis(SQL)))
                        .toList());
        Measurement againstSql = Measurement.ratio(name + ": PostGIS ÷ SQL", millis.get(POSTGIS), millis.get(SQL));
        Measurement inMemory = Measurement.ratio(name + ": memory ÷ the faster", millis.get(MEMORY), faster);
        result.figure(new Measurement(
                name + ": size",
                "entities",
                rounds.stream().map(ResolveRound::entitiesAnAnswer).toList()));
        millis.forEach(result::figure);
        result.figure(againstSql).figure(inMemory);
        if (!shape.metres()) {
            result.target(Target.atMost(MOST_TIMES_SQL, againstSql));
        }
        result.target(Target.atMost(MOST_TIMES_FASTER, inMemory));
    }
}
