package io.hereabouts.testkit.oracle;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/**
 * Says what should be delivered to whom: every candidate against every reference, every subscription against every
 * publication, no index, nothing shared with the product but the vocabulary. Slow on purpose. Resolves each
 * distinct descriptor once. Thread-safe.
 */
public final class Oracle {

    private final Map<String, PhysicalEntity> world = new LinkedHashMap<>();
    private final List<Active> subscriptions = new ArrayList<>();

    /**
     * @param entities the world; ids must differ
     * @param subscriptions those that are active while anything is published
     * @throws IllegalArgumentException if a descriptor refers to an entity that is not in the world
     */
    public Oracle(Collection<PhysicalEntity> entities, Collection<Subscribed> subscriptions) {
        for (PhysicalEntity entity : entities) {
            if (world.put(entity.id().value(), entity) != null) {
                throw new IllegalArgumentException("two entities have the id " + entity.id());
            }
        }
        Map<NeighborhoodDescriptor, Set<String>> resolved = new HashMap<>();
        for (Subscribed s : subscriptions) {
            NeighborhoodDescriptor descriptor = s.descriptor();
            this.subscriptions.add(
                    new Active(s, descriptor == null ? null : resolved.computeIfAbsent(descriptor, this::resolve)));
        }
    }

    /** The copies that one publication should become, by client. */
    public List<Expected> expect(Published publication) {
        Map<String, List<Subscribed>> matching = new TreeMap<>();
        for (Active active : subscriptions) {
            if (active.matches(publication)) {
                Subscribed s = active.subscription();
                matching.computeIfAbsent(s.client(), c -> new ArrayList<>()).add(s);
            }
        }
        List<Expected> copies = new ArrayList<>();
        matching.forEach((client, of) -> {
            SortedSet<String> ids = new TreeSet<>();
            int qos = 0;
            for (Subscribed s : of) {
                qos = Math.max(qos, s.qos());
                if (s.descriptor() != null) {
                    ids.add(s.neighborhoodId());
                }
            }
            copies.add(new Expected(publication.id(), client, ids, Math.min(qos, publication.qos())));
        });
        return copies;
    }

    /** The copies that these publications should become, in their order. */
    public List<Expected> expect(Collection<Published> publications) {
        return publications.stream().flatMap(p -> expect(p).stream()).toList();
    }

    /** The ids of the entities in a neighborhood. */
    public SortedSet<String> resolve(NeighborhoodDescriptor descriptor) {
        List<Set<String>> results = new ArrayList<>();
        for (Stage stage : descriptor.stages()) {
            results.add(resolve(stage, results));
        }
        SortedSet<String> selected = new TreeSet<>();
        descriptor.select().forEach(index -> selected.addAll(results.get(index)));
        return selected;
    }

    private Set<String> resolve(Stage stage, List<Set<String>> earlier) {
        Set<String> referenceIds = new HashSet<>();
        List<Geometry> references = new ArrayList<>();
        for (Reference reference : stage.references()) {
            if (reference instanceof Reference.ToEntity entity) {
                referenceIds.add(entity.id().value());
            } else if (reference instanceof Reference.ToGeometry geometry) {
                references.add(geometryOf(geometry));
            }
        }
        stage.from().forEach(index -> referenceIds.addAll(earlier.get(index)));
        referenceIds.forEach(id -> references.add(known(id).geometry()));

        Set<String> result = new HashSet<>();
        for (PhysicalEntity candidate : world.values()) {
            String id = candidate.id().value();
            if (!referenceIds.contains(id)
                    && isOneOf(candidate, stage.categories())
                    && holds(stage.match(), stage.where(), candidate.geometry(), references)) {
                result.add(id);
            }
        }
        return result;
    }

    private static boolean holds(Quantifier match, Condition where, Geometry candidate, List<Geometry> references) {
        int yes = 0;
        for (Geometry reference : references) {
            if (Relations.holds(where, candidate, reference)) {
                yes++;
            }
        }
        return switch (match) {
            case ANY -> yes > 0;
            case ALL -> yes == references.size();
            case NONE -> yes == 0;
        };
    }

    private static boolean isOneOf(PhysicalEntity entity, List<Category> wanted) {
        for (Category has : entity.categories()) {
            for (Category wants : wanted) {
                if ((has.path() + "/").startsWith(wants.path() + "/")) {
                    return true;
                }
            }
        }
        return false;
    }

    private PhysicalEntity known(String id) {
        PhysicalEntity entity = world.get(id);
        if (entity == null) {
            throw new IllegalArgumentException("no entity " + id + " in the world");
        }
        return entity;
    }

    private static Geometry geometryOf(Reference.ToGeometry reference) {
        try {
            return new WKTReader().read(reference.wkt());
        } catch (ParseException e) {
            throw new IllegalArgumentException("not WKT: " + reference.wkt(), e);
        }
    }

    /**
     * A subscription with what its neighborhood holds.
     *
     * @param entities ids; null for a plain subscription
     */
    private record Active(Subscribed subscription, @Nullable Set<String> entities) {
        boolean matches(Published p) {
            return !(subscription.noLocal() && subscription.client().equals(p.publisher()))
                    && Topics.matches(subscription.topicFilter(), p.topic())
                    && (entities == null || (p.entity() != null && entities.contains(p.entity())));
        }
    }
}
