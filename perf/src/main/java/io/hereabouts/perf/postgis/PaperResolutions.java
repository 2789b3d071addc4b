package io.hereabouts.perf.postgis;

import io.hereabouts.perf.Progress;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Resolution times of the world in memory and of the one in PostGIS, which take turns. */
final class PaperResolutions {

    private static final int MIN_QUESTIONS = 3;
    private static final double THOUSANDTH = 0.001;
    private static final double SHARE_OF_STAGES = 0.05;

    private final PaperParameters parameters;
    private final ResolveWorlds worlds;
    private final Question.Source questions;
    private final Progress progress;

    PaperResolutions(PaperParameters parameters, ResolveWorlds worlds, Question.Source questions, Progress progress) {
        this.parameters = parameters;
        this.worlds = worlds;
        this.questions = questions;
        this.progress = progress;
    }

    /** All places in each round, so that a disturbance that lasts longer than a place is none of its growth. */
    List<PaperPoint> measure(PaperExperiment experiment, List<Integer> xs)
            throws SQLException, WorldUnavailableException, UnresolvableException, InterruptedException {
        List<List<ResolveRound>> rounds = new ArrayList<>();
        xs.forEach(x -> rounds.add(new ArrayList<>()));
        for (int r = 0; r <= parameters.rounds(); r++) {
            progress.line(experiment.id() + ": " + (r == 0 ? "warm-up" : "round " + r + " of " + parameters.rounds()));
            for (int i = 0; i < xs.size(); i++) {
                rounds.get(i).add(round(experiment, xs.get(i)));
            }
        }
        List<PaperPoint> points = new ArrayList<>();
        for (int i = 0; i < xs.size(); i++) {
            List<ResolveRound> all = rounds.get(i);
            List<ResolveRound> counted = all.subList(1, all.size());
            points.add(new PaperPoint(
                    xs.get(i),
                    counted.stream().map(round -> round.millis(0) * 1e3).toList(),
                    counted.stream().map(round -> round.millis(1) * 1e3).toList(),
                    all.stream().mapToLong(ResolveRound::questions).sum(),
                    all.stream().mapToLong(round -> round.equalAnswers(1)).sum()));
        }
        return points;
    }

    private ResolveRound round(PaperExperiment experiment, int x)
            throws SQLException, WorldUnavailableException, UnresolvableException, InterruptedException {
        boolean stages = experiment == PaperExperiment.STAGES;
        ResolveCase shape = stages ? stages(x) : scope();
        double share = stages ? SHARE_OF_STAGES : x * THOUSANDTH;
        ResolveRound round = new ResolveRound(List.of(worlds.memory(), worlds.postgis()));
        long end = System.nanoTime() + 2L * parameters.millis() * 1_000_000;
        for (int i = 0; i < MIN_QUESTIONS || System.nanoTime() < end; i++) {
            Interrupts.check();
            round.ask(questions.next(shape, share));
        }
        return round;
    }

    /** The zones in an area, the detectors in those, the zones around these and so on: as many in each stage. */
    private static ResolveCase stages(int count) {
        String stages = IntStream.range(0, count)
                .mapToObj(i -> (i == 0 ? "{\"references\": [REFERENCE], " : "{\"from\": [" + (i - 1) + "], ")
                        + (i % 2 == 1
                                ? "\"categories\": [\"detector\"], \"where\": {\"relation\": \"coveredBy\"}}"
                                : "\"categories\": [\"zone\"], \"where\": {\"relation\": \""
                                        + (i == 0 ? "coveredBy" : "covers") + "\"}}"))
                .collect(Collectors.joining(", "));
        return new ResolveCase(count + " stages", true, ResolveCase.Kind.AREA, false, stages, count - 1, "");
    }

    private static ResolveCase scope() {
        return new ResolveCase(
                "detectors covered by an area",
                true,
                ResolveCase.Kind.AREA,
                false,
                "{\"references\": [REFERENCE], \"categories\": [\"detector\"], \"where\": {\"relation\": \"coveredBy\"}}",
                0,
                "");
    }
}
