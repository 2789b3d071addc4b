package io.hereabouts.cli;

import io.hereabouts.perf.Comparison;
import io.hereabouts.perf.Report;
import io.hereabouts.perf.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code perf compare}: two results of one measurement beside each other. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        description = {
            "Compares two results that --out has written.",
            "Exit code 1 if a figure that has a target became worse, or the books of the later result do not balance."
        })
final class PerfCompareCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "the earlier result, a JSON file")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "the later one")
    private @Nullable Path after;

    @Option(
            names = "--tolerance",
            paramLabel = "TIMES",
            defaultValue = "1.3",
            description = "how many times what it was a figure that has a target may be; default ${DEFAULT-VALUE}")
    private double tolerance;

    @Override
    public Integer call() throws InputException {
        Result then = read(before);
        Result now = read(after);
        Comparison comparison = PerfOutput.checked(() -> Comparison.of(then, now, tolerance));
        spec.commandLine().getOut().println(comparison.text().stripTrailing());
        return comparison.worse().isEmpty() ? 0 : 1;
    }

    private static Result read(@Nullable Path file) throws InputException {
        try {
            return Report.parse(Files.readString(file == null ? Path.of("") : file));
        } catch (IOException e) {
            throw new InputException(file + ": cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }
}
