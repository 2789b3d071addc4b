package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.Graph;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.perf.shape.Fit;
import io.hereabouts.perf.shape.Shape;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The experiments of the paper, in memory and in the database, with what must come out as targets: the growth of either
 * mode, and that memory is the faster one everywhere.
 */
public final class PaperBenchmark {

    private static final String UNIT = "µs";
    private static final Set<PaperExperiment> OF_RESOLUTION = EnumSet.of(PaperExperiment.STAGES, PaperExperiment.SCOPE);

    private final PaperParameters parameters;
    private final Progress progress;
    private final Result.Builder result;

    private PaperBenchmark(PaperParameters parameters, Progress progress, Result.Builder result) {
        this.parameters = parameters;
        this.progress = progress;
        this.result = result;
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if the server refuses something
     */
    public static Result run(PaperParameters parameters, PostgisServer server, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario(server));
        PaperBenchmark benchmark = new PaperBenchmark(parameters, progress, result);
        try {
            benchmark.mappings(server);
            benchmark.resolutions(server);
        } catch (SQLException | WorldUnavailableException | UnresolvableException e) {
            Interrupts.check();
            throw new MeasurementException("paper", e);
        }
        return result.build();
    }

    private void mappings(PostgisServer server) throws MeasurementException, SQLException, InterruptedException {
        List<PaperExperiment> experiments = parameters.experiments().stream()
                .filter(e -> !OF_RESOLUTION.contains(e))
                .toList();
        if (experiments.isEmpty()) {
            return;
        }
        try (OwnDatabase database = OwnDatabase.create(server);
                Connection connection = database.connect()) {
            PaperMappings mappings = new PaperMappings(parameters, connection, progress);
            for (PaperExperiment experiment : experiments) {
                List<PaperPoint> points = new ArrayList<>();
                for (int x : experiment.xs(parameters.most())) {
                    points.add(mappings.measure(experiment, x));
                }
                report(experiment, points);
            }
        }
    }

    private void resolutions(PostgisServer server)
            throws MeasurementException, SQLException, WorldUnavailableException, UnresolvableException,
                    InterruptedException {
        List<PaperExperiment> experiments = parameters.experiments().stream()
                .filter(OF_RESOLUTION::contains)
                .toList();
        if (experiments.isEmpty()) {
            return;
        }
        List<PhysicalEntity> entities = CityCopies.of(parameters.seed(), null).entities(parameters.entities());
        try (ResolveWorlds worlds = ResolveWorlds.fill(server, entities, progress)) {
            PaperResolutions resolutions = new PaperResolutions(
                    parameters, worlds, new Question.Source(parameters.seed(), entities), progress);
            for (PaperExperiment experiment : experiments) {
                report(experiment, resolutions.measure(experiment, experiment.xs(parameters.most())));
            }
        }
    }

    private void report(PaperExperiment experiment, List<PaperPoint> points) {
        int notSlower = 0;
        for (PaperPoint point : points) {
            String name = String.format(Locale.ROOT, "%s, %,.0f %s", experiment.id(), point.x(), experiment.of());
            Measurement memory = new Measurement(name + ": memory", UNIT, point.memory());
            Measurement database = new Measurement(name + ": database", UNIT, point.database());
            Measurement ratio = Measurement.ratio(name + ": database ÷ memory", database, memory);
            result.figure(memory).figure(database).figure(ratio);
            result.book(name + ": right answers", point.checks(), point.right());
            notSlower += ratio.median() > 1 ? 0 : 1;
        }
        growth(experiment, "memory", points, PaperPoint::memory);
        growth(experiment, "database", points, PaperPoint::database);
        result.target(
                new Target(experiment.id() + ": places where the database is not the slower", "places", 0, notSlower));
        result.graph(new Graph(
                experiment.id(),
                experiment.what(),
                experiment.of(),
                UNIT,
                experiment != PaperExperiment.STAGES,
                true,
                List.of(line("memory", points, PaperPoint::memory), line("database", points, PaperPoint::database))));
    }

    /** Says which curve it is, and makes a target of that it is one of those that it must be. */
    private void growth(
            PaperExperiment experiment,
            String mode,
            List<PaperPoint> points,
            Function<PaperPoint, List<Double>> micros) {
        Fit fit = Fit.best(points.stream()
                .flatMap(p -> micros.apply(p).stream().map(y -> new Fit.Point(p.x(), y)))
                .toList());
        String expected = experiment.expected().stream().map(Shape::title).collect(Collectors.joining(" or "));
        result.note(String.format(
                Locale.ROOT,
                "%s, %s: %s, %.3g + %.3g · %s",
                experiment.id(),
                mode,
                fit.shape().title(),
                fit.intercept(),
                fit.slope(),
                fit.shape() == Shape.LOGARITHMIC ? "ln x" : "x"));
        result.target(new Target(
                experiment.id() + ", " + mode + ": curves other than " + expected,
                "curves",
                0,
                experiment.expected().contains(fit.shape()) ? 0 : 1));
    }

    private static Graph.Line line(String mode, List<PaperPoint> points, Function<PaperPoint, List<Double>> micros) {
        return new Graph.Line(
                mode,
                points.stream().map(PaperPoint::x).toList(),
                points.stream()
                        .map(p -> new Measurement(mode, "", micros.apply(p)).median())
                        .toList());
    }
}
