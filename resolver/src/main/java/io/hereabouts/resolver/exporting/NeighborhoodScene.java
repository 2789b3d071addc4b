package io.hereabouts.resolver.exporting;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/**
 * What there is to see of a neighborhood: its references, the entities of each stage, and what lies around them. Each entity
 * is seen once: as one of the last selected stage that has it, else of the last stage that has it, else as a reference.
 * Immutable.
 *
 * @param layers in the order of the legend
 */
record NeighborhoodScene(MapBox box, List<SceneLayer> layers) {

    /** A neighborhood that more entities than this lie around is seen without them. */
    static final int MOST_SURROUNDINGS = 3000;

    NeighborhoodScene {
        layers = List.copyOf(layers);
    }

    /**
     * Looks at the world twice: for the neighborhood, and for what is around it. What was deleted since the resolution is not
     * seen.
     */
    static NeighborhoodScene of(NeighborhoodDescriptor descriptor, Resolution resolution, WorldModel world)
            throws WorldUnavailableException {
        Map<EntityId, Integer> stages = stages(descriptor, resolution);
        SortedSet<String> inline = new TreeSet<>();
        Set<EntityId> named = new TreeSet<>();
        descriptor.stages().stream()
                .flatMap(stage -> stage.references().stream())
                .forEach(reference -> {
                    if (reference instanceof Reference.ToEntity entity) {
                        named.add(entity.id());
                    } else if (reference instanceof Reference.ToGeometry geometry) {
                        inline.add(geometry.wkt());
                    }
                });
        List<Geometry> brought =
                inline.stream().map(NeighborhoodScene::geometry).toList();

        SortedMap<EntityId, PhysicalEntity> meant = new TreeMap<>();
        world.scan(entity -> {
            if (stages.containsKey(entity.id()) || named.contains(entity.id())) {
                meant.put(entity.id(), entity);
            }
        });
        List<Geometry> all = new ArrayList<>(brought);
        meant.values().forEach(entity -> all.add(entity.geometry()));
        MapBox box = MapBox.around(all);

        SortedMap<EntityId, PhysicalEntity> nearby = new TreeMap<>();
        world.scan(entity -> {
            if (nearby.size() <= MOST_SURROUNDINGS && !meant.containsKey(entity.id()) && box.sees(entity.geometry())) {
                nearby.put(entity.id(), entity);
            }
        });
        return new NeighborhoodScene(box, new SceneLayers(descriptor, resolution, stages).of(meant, brought, nearby));
    }

    /** The stage that each entity of a stage is seen in. */
    private static Map<EntityId, Integer> stages(NeighborhoodDescriptor descriptor, Resolution resolution) {
        Map<EntityId, Integer> stages = new HashMap<>();
        for (boolean selected : new boolean[] {false, true}) {
            for (int i = 0; i < resolution.stages().size(); i++) {
                if (descriptor.select().contains(i) == selected) {
                    for (EntityId id : resolution.stages().get(i)) {
                        stages.put(id, i);
                    }
                }
            }
        }
        return stages;
    }

    private static Geometry geometry(String wkt) {
        try {
            return new WKTReader().read(wkt);
        } catch (ParseException e) {
            throw new IllegalArgumentException("descriptor was not checked: " + wkt, e);
        }
    }
}
