package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.resolver.world.WorldStatistics;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code world stats}. */
@Command(
        name = "stats",
        mixinStandardHelpOptions = true,
        description = "Counts the entities of the world by category and geometry type, and says where they are.")
final class WorldStatsCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        WorldStatistics.Counter counter = new WorldStatistics.Counter();
        try (WorldSource world = Reachable.world(settings, Wiring.of(settings))) {
            world.world().scan(counter::add);
        }
        print(counter.statistics());
        return 0;
    }

    private void print(WorldStatistics statistics) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(statistics));
            return;
        }
        statistics.byCategory().forEach((path, count) -> out.printf("%9d  %s%n", count, path));
        out.println("by geometry:");
        statistics.byGeometryType().forEach((type, count) -> out.printf("%9d  %s%n", count, type));
        out.println(statistics.entities() + " entities, " + statistics.vertices() + " vertices"
                + (statistics.boundingBox().isEmpty()
                        ? ""
                        : ", in west, south, east, north "
                                + statistics.boundingBox().stream()
                                        .map(String::valueOf)
                                        .collect(Collectors.joining(", "))));
    }
}
