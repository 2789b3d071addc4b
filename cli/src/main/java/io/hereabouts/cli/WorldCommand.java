package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldImport;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.launcher.WorldTarget;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.importing.ImportSummary;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code world}: the physical entities. */
@Command(
        name = "world",
        mixinStandardHelpOptions = true,
        description = "Fills and lists the world of physical entities.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {WorldCommand.Import.class, WorldCommand.Generate.class, WorldCommand.Listing.class})
final class WorldCommand implements Runnable {

    /** How long a command waits until it has read the world from Kafka. */
    static final Duration READ_TIMEOUT = Duration.ofMinutes(5);

    private static final String RUNNING =
            "neighborhoods that are already subscribed to keep the entities they were resolved to";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    @Command(
            name = "import",
            mixinStandardHelpOptions = true,
            description = {
                "Reads entities from OSM PBF, GeoJSON, GeoJSON-seq or CSV, a manifest that names several files, or a query.",
                "A feature that is wrong is reported and counted, the rest is imported. Entities that exist are replaced."
            })
    static final class Import implements Callable<Integer> {

        @Mixin
        private SettingsOptions options;

        @Mixin
        private ImportOptions source;

        @Option(names = "--json", description = "print the summary as JSON")
        private boolean json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            List<WorldFile> files = source.files();
            StackSettings settings = options.load();
            Wiring wiring = Wiring.of(settings);
            PrintWriter err = spec.commandLine().getErr();
            ImportSummary summary;
            try (WorldTarget target = WorldTarget.open(settings, wiring);
                    ImportBar bar = new ImportBar(err)) {
                summary = WorldImport.run(files, target, bar);
            } catch (SourceUnavailableException e) {
                throw new FailedException(String.valueOf(e.getMessage()));
            } catch (IOException e) {
                throw new InputException(String.valueOf(e.getMessage()));
            }
            err.println("note: " + RUNNING);
            spec.commandLine().getOut().println(json ? Json.of(summary) : text(summary));
            return summary.bad() == 0 || summary.entities() > 0 ? 0 : 1;
        }

        private static String text(ImportSummary summary) {
            StringBuilder text = new StringBuilder();
            summary.byCategory().forEach((path, count) -> text.append(String.format("%9d  %s%n", count, path)));
            text.append(summary.entities()).append(" entities imported, ");
            text.append(summary.bad()).append(" features refused");
            if (summary.incomplete() > 0) {
                text.append(" (").append(summary.incomplete()).append(" incomplete)");
            }
            return text.append(", ")
                    .append(summary.skipped())
                    .append(" left out")
                    .toString();
        }
    }

    @Command(
            name = "generate",
            mixinStandardHelpOptions = true,
            description = "Makes up a city: zones, roads, car parks, detectors; the same for the same seed and size.")
    static final class Generate implements Callable<Integer> {

        @Mixin
        private SettingsOptions options;

        @Option(names = "--seed", paramLabel = "N", defaultValue = "17", description = "default ${DEFAULT-VALUE}")
        private long seed;

        @Option(
                names = "--size",
                paramLabel = "N",
                defaultValue = "6",
                description = "zones a side, 3 to 200; default ${DEFAULT-VALUE}")
        private int size;

        @Option(names = "--json", description = "print the summary as JSON")
        private boolean json;

        @Spec
        private CommandSpec spec;

        private record Made(long seed, int size, int entities) {}

        @Override
        public Integer call() throws Exception {
            SeededCity city;
            try {
                city = SeededCity.generate(seed, size);
            } catch (IllegalArgumentException e) {
                throw new InputException("--size: " + e.getMessage());
            }
            StackSettings settings = options.load();
            try (WorldTarget target = WorldTarget.open(settings, Wiring.of(settings))) {
                for (PhysicalEntity entity : city.entities()) {
                    target.upsert(entity);
                }
                target.finish();
            }
            spec.commandLine().getErr().println("note: " + RUNNING);
            int count = city.entities().size();
            spec.commandLine().getOut().println(json ? Json.of(new Made(seed, size, count)) : count + " entities");
            return 0;
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists how many entities each category has, or the entities of one.")
    static final class Listing implements Callable<Integer> {

        @Mixin
        private SettingsOptions options;

        @Option(names = "--category", paramLabel = "PATH", description = "list the entities of this category and below")
        private @Nullable String category;

        @Option(names = "--json", description = "print JSON")
        private boolean json;

        @Spec
        private CommandSpec spec;

        private record Entry(String id, List<String> categories, String geometry) {}

        @Override
        public Integer call() throws Exception {
            Category only = category();
            StackSettings settings = options.load();
            try (WorldSource world = WorldSource.open(settings, Wiring.of(settings), READ_TIMEOUT)) {
                if (only == null) {
                    Map<String, Long> counts = new TreeMap<>();
                    world.world().scan(e -> e.categories().forEach(c -> counts.merge(c.path(), 1L, Long::sum)));
                    print(counts);
                } else {
                    List<Entry> entries = new ArrayList<>();
                    world.world().scan(e -> {
                        if (e.isA(only)) {
                            entries.add(new Entry(
                                    e.id().value(),
                                    e.categories().stream().map(Category::path).toList(),
                                    e.geometry().getGeometryType()));
                        }
                    });
                    entries.sort(Comparator.comparing(Entry::id));
                    print(entries);
                }
            }
            return 0;
        }

        private void print(Map<String, Long> counts) {
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.of(counts));
            } else {
                counts.forEach((path, count) -> out.printf("%9d  %s%n", count, path));
            }
        }

        private void print(List<Entry> entries) {
            PrintWriter out = spec.commandLine().getOut();
            if (json) {
                out.println(Json.of(entries));
            } else {
                entries.forEach(
                        e -> out.printf("%s  %s  %s%n", e.id(), String.join(",", e.categories()), e.geometry()));
            }
        }

        private @Nullable Category category() throws InputException {
            try {
                return category == null ? null : Category.of(category);
            } catch (IllegalArgumentException e) {
                throw new InputException("--category: " + e.getMessage());
            }
        }
    }
}
