package io.hereabouts.cli;

import io.hereabouts.perf.Comparison;
import io.hereabouts.perf.Report;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Smoke;
import io.hereabouts.perf.index.IndexRounds;
import io.hereabouts.perf.kafka.RouteBenchmark;
import io.hereabouts.perf.kafka.RouteParameters;
import io.hereabouts.perf.postgis.MappingBenchmark;
import io.hereabouts.perf.postgis.MappingParameters;
import io.hereabouts.perf.postgis.PostgisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf smoke}: whether anything became much slower, in a minute or two. */
@Command(
        name = "smoke",
        mixinStandardHelpOptions = true,
        description = {
            "Measures a little of route, index and mapping and compares ratios with those of perf/results/smoke.json.",
            "Exit code 1 if books do not balance or a ratio became worse."
        })
final class PerfSmokeCommand implements Callable<Integer> {

    private static final int ATTEMPTS = 3;

    private static final String ROUTER = "fan-out 1: router CPU a record";
    private static final String IDENTITY = "fan-out 1: identity CPU a record";
    private static final String MAPPING = "1,000 neighborhoods of 100, fan-out 1: ";

    @Mixin
    private PerfOutput output;

    @Mixin
    private PerfPostgisOptions server;

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "an earlier result of smoke; default: the one that the build was made with")
    private @Nullable Path against;

    @Option(
            names = "--tolerance",
            paramLabel = "TIMES",
            defaultValue = "1.3",
            description = "how many times what it was a ratio may be; default ${DEFAULT-VALUE}")
    private double tolerance;

    @Override
    public Integer call() throws Exception {
        Result before = before();
        PostgisServer postgis = server.choice();
        return PerfCommand.report(
                () -> Smoke.run(parts(postgis), before, tolerance, ATTEMPTS, output.progress()), output, result -> {
                    Comparison comparison = Comparison.of(before, result, tolerance);
                    output.progress().line(comparison.text().stripTrailing());
                    return comparison.worse().isEmpty();
                });
    }

    private List<Smoke.Part> parts(PostgisServer postgis) {
        return List.of(
                new Smoke.Part(
                        "index",
                        () -> IndexRounds.run(output.seed, 1_000_000, 6, 200_000, output.progress()),
                        List.of(
                                new Smoke.Ratio("index: heap a pair", "FilterIndex, heap a pair", "", 14),
                                new Smoke.Ratio(
                                        "index: CPU of a lookup, FilterIndex ÷ HashMap",
                                        "FilterIndex, lookup, CPU",
                                        "HashMap, lookup, CPU",
                                        1.5))),
                new Smoke.Part(
                        "mapping",
                        () -> MappingBenchmark.run(
                                new MappingParameters(output.seed, 2_000, 4, List.of(1, 20), List.of(1_000)),
                                postgis,
                                output.progress()),
                        List.of(new Smoke.Ratio(
                                "mapping: p50, memory ÷ database",
                                MAPPING + "memory, p50",
                                MAPPING + "database, p50",
                                0.1))),
                new Smoke.Part(
                        "route",
                        () -> RouteBenchmark.run(
                                new RouteParameters(output.seed, 200_000, 3, 3, 64, 1_000, 20, List.of(1)),
                                output.progress()),
                        List.of(new Smoke.Ratio("route: CPU at fan-out 1, router ÷ identity", ROUTER, IDENTITY, 1.8))));
    }

    private Result before() throws InputException {
        try (InputStream built = Report.class.getResourceAsStream("smoke.json")) {
            return Report.parse(
                    against != null
                            ? Files.readString(against)
                            : built == null ? "" : new String(built.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new InputException("--against " + against + ": cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new InputException("--against " + against + ": " + e.getMessage());
        }
    }
}
