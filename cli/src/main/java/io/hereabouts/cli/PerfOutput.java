package io.hereabouts.cli;

import io.hereabouts.perf.Plots;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Report;
import io.hereabouts.perf.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the result of a measurement goes, and what it decides. */
final class PerfOutput {

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "17",
            description = "of the order of entities; default ${DEFAULT-VALUE}")
    long seed;

    @Option(names = "--json", description = "print JSON instead of tables")
    private boolean json;

    @Option(names = "--out", paramLabel = "FILE", description = "also write JSON to this file")
    private @Nullable Path out;

    @Option(names = "--plot", paramLabel = "DIR", description = "also draw figures into this folder, as SVG and PNG")
    private @Nullable Path plot;

    @Option(names = "--check", description = "exit code 1 if a target is missed")
    private boolean check;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Lines on standard error. */
    Progress progress() {
        PrintWriter err = spec.commandLine().getErr();
        return line -> {
            err.println(line);
            err.flush();
        };
    }

    /** A missed target is exit code 1 in any case. */
    void checkTargets() {
        check = true;
    }

    /** Prints and writes the result; the exit code. */
    int report(Result result) throws FailedException {
        String document = Report.json(result);
        spec.commandLine()
                .getOut()
                .println(json ? document : Report.text(result).stripTrailing());
        if (out != null) {
            try {
                Files.writeString(out, document + System.lineSeparator());
            } catch (IOException e) {
                throw new FailedException("--out " + out + ": cannot be written: " + e.getMessage());
            }
        }
        if (plot != null) {
            try {
                Plots.write(result, plot);
            } catch (IOException e) {
                throw new FailedException("--plot " + plot + ": cannot be written: " + e.getMessage());
            }
        }
        return result.balances() && (!check || result.meetsTargets()) ? 0 : 1;
    }

    /** Parameters, or one line that says which are out of range. */
    static <T> T checked(Supplier<T> parameters) throws InputException {
        try {
            return parameters.get();
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }
}
