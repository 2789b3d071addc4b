package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.exporting.GeoJsonExport;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.BufferedWriter;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code world export}. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the entities of the world as GeoJSON, in the order of their ids.",
            "To read them again: world import FILE --category-property categories"
        })
final class WorldExportCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "where to write; gzipped if it ends in .gz; default: standard output")
    private @Nullable Path output;

    @Option(
            names = "--format",
            paramLabel = "geojson|geojson-seq",
            defaultValue = "geojson",
            description = "one FeatureCollection, or a text sequence (RFC 8142); default ${DEFAULT-VALUE}")
    private String format = "geojson";

    @Option(names = "--category", paramLabel = "PATH", description = "only entities of this category and below")
    private @Nullable String category;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        GeoJsonExport.Form form = form();
        Category only = category();
        StackSettings settings = options.load();
        SortedMap<EntityId, PhysicalEntity> entities = new TreeMap<>();
        try (WorldSource world = Reachable.world(settings, Wiring.of(settings))) {
            world.world().scan(entity -> {
                if (only == null || entity.isA(only)) {
                    entities.put(entity.id(), entity);
                }
            });
        }
        try (GeoJsonExport export = new GeoJsonExport(writer(), form)) {
            for (PhysicalEntity entity : entities.values()) {
                export.write(entity);
            }
        } catch (IOException e) {
            throw new InputException("--output " + output + ": cannot be written: " + e.getMessage());
        }
        spec.commandLine().getErr().println(entities.size() + " entities exported");
        return 0;
    }

    private Writer writer() throws IOException {
        if (output == null) {
            return new FilterWriter(spec.commandLine().getOut()) {
                @Override
                public void close() throws IOException {
                    flush();
                }
            };
        }
        OutputStream file = Files.newOutputStream(output);
        return new BufferedWriter(new OutputStreamWriter(
                output.toString().endsWith(".gz") ? new GZIPOutputStream(file) : file, StandardCharsets.UTF_8));
    }

    private GeoJsonExport.Form form() throws InputException {
        return switch (format) {
            case "geojson" -> GeoJsonExport.Form.COLLECTION;
            case "geojson-seq" -> GeoJsonExport.Form.SEQUENCE;
            default -> throw new InputException("--format is '" + format + "', expected geojson or geojson-seq");
        };
    }

    private @Nullable Category category() throws InputException {
        try {
            return category == null ? null : Category.of(category);
        } catch (IllegalArgumentException e) {
            throw new InputException("--category: " + e.getMessage());
        }
    }
}
