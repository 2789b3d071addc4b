package io.hereabouts.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.WorldSource;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.exporting.NeighborhoodPicture;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.io.geojson.GeoJsonWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resolve}: what a descriptor means, without subscribing. */
@Command(
        name = "resolve",
        mixinStandardHelpOptions = true,
        description = "Prints which entities a neighborhood descriptor means, stage by stage. Nothing is registered.")
final class ResolveCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Parameters(paramLabel = "FILE", description = "descriptor, JSON; - for standard input")
    private Path file = Path.of("-");

    @Option(names = "--dry-run", description = "what this command does anyway")
    @SuppressWarnings("UnusedVariable")
    private boolean dryRun;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    @Option(names = "--geojson", description = "print the entities as a GeoJSON FeatureCollection")
    private boolean geoJson;

    @Option(names = "--svg", paramLabel = "FILE", description = "draw the neighborhood and what lies around it, as SVG")
    private @Nullable Path svg;

    @Spec
    private CommandSpec spec;

    private record Result(String neighborhood, long worldVersion, List<List<String>> stages, List<String> selected) {}

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        NeighborhoodDescriptor descriptor = descriptor(settings);
        Wiring wiring = Wiring.of(settings);
        try (WorldSource world = Reachable.world(settings, wiring)) {
            Resolution resolution = world.world().resolve(descriptor);
            if (svg != null) {
                draw(svg, descriptor, resolution, world.world());
            }
            print(descriptor, resolution, world.world());
            return 0;
        } catch (UnresolvableException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }

    private NeighborhoodDescriptor descriptor(StackSettings settings) throws InputException, InvalidSettingsException {
        DescriptorParser parser = new DescriptorParser(Settings.descriptorLimits(settings));
        try {
            String text = file.toString().equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(file);
            return parser.parse(text);
        } catch (IOException e) {
            throw InputException.unreadable(file, e);
        } catch (InvalidDescriptorException e) {
            throw new InputException(file + ": " + e.getMessage());
        }
    }

    private static void draw(Path file, NeighborhoodDescriptor descriptor, Resolution resolution, WorldModel world)
            throws InputException, WorldUnavailableException {
        String picture = NeighborhoodPicture.svg(descriptor, resolution, world);
        try {
            Files.writeString(file, picture);
        } catch (IOException e) {
            throw InputException.unwritable("--svg " + file, e);
        }
    }

    private void print(NeighborhoodDescriptor descriptor, Resolution resolution, WorldModel world) throws Exception {
        PrintWriter out = spec.commandLine().getOut();
        List<List<String>> stages =
                resolution.stages().stream().map(ResolveCommand::values).toList();
        if (geoJson) {
            out.println(featureCollection(resolution.selected(), world));
        } else if (json) {
            out.println(Json.of(new Result(
                    descriptor.id().value(), resolution.worldVersion(), stages, values(resolution.selected()))));
        } else {
            for (int i = 0; i < stages.size(); i++) {
                String selected = descriptor.select().contains(i) ? ", selected" : "";
                out.println("stage " + i + ": " + stages.get(i).size() + " entities" + selected);
                stages.get(i).forEach(id -> out.println("  " + id));
            }
            out.println("neighborhood " + descriptor.id() + ": "
                    + resolution.selected().size() + " entities, world version " + resolution.worldVersion());
        }
    }

    private static List<String> values(List<EntityId> ids) {
        return ids.stream().map(EntityId::value).toList();
    }

    private static JsonNode featureCollection(List<EntityId> ids, WorldModel world) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        GeoJsonWriter geometries = new GeoJsonWriter();
        geometries.setEncodeCRS(false);
        ArrayNode features = mapper.createArrayNode();
        for (EntityId id : ids) {
            Optional<PhysicalEntity> entity = world.entity(id);
            if (entity.isPresent()) {
                ObjectNode feature =
                        mapper.createObjectNode().put("type", "Feature").put("id", id.value());
                feature.set(
                        "geometry",
                        mapper.readTree(geometries.write(entity.get().geometry())));
                feature.set(
                        "properties",
                        mapper.createObjectNode()
                                .set(
                                        "categories",
                                        mapper.valueToTree(entity.get().categories().stream()
                                                .map(Category::path)
                                                .toList())));
                features.add(feature);
            }
        }
        ObjectNode collection = mapper.createObjectNode().put("type", "FeatureCollection");
        collection.set("features", features);
        return collection;
    }
}
