package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.model.entity.Category;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
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
import picocli.CommandLine.Spec;

/** {@code world list}. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = "Lists how many entities each category has, or the entities of one.")
final class WorldListCommand implements Callable<Integer> {

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
        try (WorldSource world = Reachable.world(settings, Wiring.of(settings))) {
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
            entries.forEach(e -> out.printf("%s  %s  %s%n", e.id(), String.join(",", e.categories()), e.geometry()));
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
