package io.hereabouts.resolver.exporting;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.exporting.SceneLayer.Kind;
import io.hereabouts.resolver.exporting.SceneLayer.Thing;
import io.hereabouts.resolver.world.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.locationtech.jts.geom.Geometry;

/**
 * Puts what was found into layers and gives these their captions. Immutable.
 *
 * @param stages the stage that each entity of a stage is seen in
 */
record SceneLayers(NeighborhoodDescriptor descriptor, Resolution resolution, Map<EntityId, Integer> stages) {

    private static final int LONGEST_CATEGORIES = 40;

    /**
     * The layers in the order of the legend.
     *
     * @param meant entities of stages, and references
     * @param brought references that the descriptor brings along
     * @param nearby all other entities on the map, or more than the most that are seen
     */
    List<SceneLayer> of(
            SortedMap<EntityId, PhysicalEntity> meant,
            List<Geometry> brought,
            SortedMap<EntityId, PhysicalEntity> nearby) {
        List<SceneLayer> layers = new ArrayList<>();
        layers.add(references(meant, brought));
        for (int i = 0; i < descriptor.stages().size(); i++) {
            layers.add(stage(i, meant));
        }
        if (nearby.size() > NeighborhoodScene.MOST_SURROUNDINGS) {
            String caption = "not drawn: more than " + NeighborhoodScene.MOST_SURROUNDINGS + " entities around them";
            layers.add(new SceneLayer(Kind.SURROUNDINGS, 0, caption, List.of()));
            return layers;
        }
        List<Thing> candidates = new ArrayList<>();
        List<Thing> surroundings = new ArrayList<>();
        nearby.values().forEach(entity -> (isCandidate(entity) ? candidates : surroundings).add(thing(entity)));
        if (!candidates.isEmpty()) {
            layers.add(new SceneLayer(
                    Kind.CANDIDATES,
                    0,
                    counted(candidates.size(), "candidate", "candidates") + " not taken",
                    candidates));
        }
        if (!surroundings.isEmpty()) {
            layers.add(new SceneLayer(
                    Kind.SURROUNDINGS,
                    0,
                    counted(surroundings.size(), "other entity", "other entities") + " nearby",
                    surroundings));
        }
        return layers;
    }

    private SceneLayer references(SortedMap<EntityId, PhysicalEntity> meant, List<Geometry> brought) {
        List<Thing> things = new ArrayList<>();
        for (Geometry geometry : brought) {
            things.add(new Thing("", "geometry of the descriptor, reference", geometry));
        }
        meant.values().stream()
                .filter(entity -> !stages.containsKey(entity.id()))
                .map(this::thing)
                .forEach(things::add);
        return new SceneLayer(Kind.REFERENCES, 0, counted(things.size(), "reference", "references"), things);
    }

    private SceneLayer stage(int stage, SortedMap<EntityId, PhysicalEntity> meant) {
        boolean selected = descriptor.select().contains(stage);
        List<Thing> things = meant.values().stream()
                .filter(entity -> Integer.valueOf(stage).equals(stages.get(entity.id())))
                .map(this::thing)
                .toList();
        String caption = "stage " + stage + ": "
                + counted(resolution.stages().get(stage).size(), "entity", "entities") + " of " + categories(stage)
                + (selected ? "" : ", not selected");
        return new SceneLayer(selected ? Kind.SELECTED_STAGE : Kind.OTHER_STAGE, stage, caption, things);
    }

    private String categories(int stage) {
        String all = descriptor.stages().get(stage).categories().stream()
                .map(Category::path)
                .collect(Collectors.joining(", "));
        int end = all.offsetByCodePoints(0, Math.min(all.codePointCount(0, all.length()), LONGEST_CATEGORIES));
        return end == all.length() ? all : all.substring(0, end) + "…";
    }

    private boolean isCandidate(PhysicalEntity entity) {
        return descriptor.stages().stream()
                .flatMap(stage -> stage.categories().stream())
                .anyMatch(entity::isA);
    }

    private Thing thing(PhysicalEntity entity) {
        Integer stage = stages.get(entity.id());
        String title = entity.id().value() + "\n"
                + entity.categories().stream().map(Category::path).collect(Collectors.joining(", "))
                + (stage == null ? "" : "\nstage " + stage);
        return new Thing(entity.id().value(), title, entity.geometry());
    }

    private static String counted(int count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
