package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.kafka.Growth;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code topics grow}: more partitions for a system that runs. */
@Command(
        name = "grow",
        mixinStandardHelpOptions = true,
        description = {
            "Moves a running system to more partitions.",
            "Edges, routers and resolvers go on meanwhile: nothing is lost and the order of each entity stays. After Ctrl-C"
                    + " or a kill the same command goes on where it was."
        })
final class TopicsGrowCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Option(names = "--partitions", paramLabel = "N", description = "that publications and filters are to have")
    private int partitions;

    @Option(names = "--dry-run", description = "say what would be done, and do nothing")
    private boolean dryRun;

    @Option(names = "--abort", description = "take back a growth that has not switched yet")
    private boolean abort;

    @Option(
            names = "--without",
            paramLabel = "EDGE",
            description = "an edge that has a lease and will never come back: it is not waited for; may be repeated")
    private Set<String> without = Set.of();

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "how long each step may take; default ${DEFAULT-VALUE}")
    private int timeout;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (abort == (partitions != 0)) {
            throw new ParameterException(spec.commandLine(), "expected either --partitions or --abort");
        }
        if ((!abort && partitions < 1) || timeout < 1) {
            throw new ParameterException(spec.commandLine(), "expected --partitions and --timeout of at least 1");
        }
        StackSettings settings = options.load();
        PrintWriter out = spec.commandLine().getOut();
        try (Growth growth = new Growth(Wiring.of(settings), without, Duration.ofSeconds(timeout), line -> {
            out.println(line);
            out.flush();
        })) {
            if (dryRun) {
                explain(growth, out);
            } else if (abort) {
                growth.abort();
            } else {
                growth.to(partitions);
            }
            return 0;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        } catch (TimeoutException e) {
            throw new FailedException(e.getMessage() + "; run the same command again to go on");
        }
    }

    private void explain(Growth growth, PrintWriter out) throws Exception {
        Generations now = growth.now();
        out.println("now: " + now.current()
                + now.next()
                        .map(next -> ", growing to " + next + (now.switching() ? ", to which publications go" : ""))
                        .orElse(""));
        out.println("edges that are waited for: " + String.join(", ", growth.edges()));
        if (abort) {
            out.println("would remove " + now.next().map(Generation::toString).orElse("nothing"));
            return;
        }
        Generation next = now.next().orElse(now.current().grownTo(partitions));
        out.println("would do, where it is not done yet:");
        out.println("  1. make the Kafka topics of " + next);
        out.println("  2. let resolvers fill it, and wait until all interests of all edges are active in it");
        out.println("  3. let edges publish to it, and make publications of " + now.current() + " refuse writes");
        out.println("  4. wait until all of " + now.current() + " is routed, then route " + next);
        out.println("  5. remove the Kafka topics and groups of " + now.current());
    }
}
