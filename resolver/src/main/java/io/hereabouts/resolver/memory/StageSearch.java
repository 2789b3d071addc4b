package io.hereabouts.resolver.memory;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.PreparedReference;
import io.hereabouts.resolver.world.Tally;
import io.hereabouts.resolver.world.UnresolvableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.locationtech.jts.geom.Envelope;

/**
 * Finds the entities of one stage. First counts to how many references each candidate is near; then looks at those pairs
 * only whose outcome is still open. O(references · log n + pairs that are near), plus the category's size if what is far
 * from every reference is in. For one thread.
 */
final class StageSearch {

    private final Stage stage;
    private final List<CategoryIndex> indexes;
    private final List<PreparedReference> references;
    private final Set<PhysicalEntity> excluded;
    private final Deadline deadline;
    private final Locality locality;
    private final IdentityHashMap<PhysicalEntity, Tally> tallies = new IdentityHashMap<>();

    /** @param excluded the entities among the references, by identity */
    StageSearch(
            Stage stage,
            List<CategoryIndex> indexes,
            List<PreparedReference> references,
            Set<PhysicalEntity> excluded,
            Deadline deadline) {
        this.stage = stage;
        this.indexes = indexes;
        this.references = references;
        this.excluded = excluded;
        this.deadline = deadline;
        this.locality = Locality.of(stage.where());
    }

    /** The stage's entities, each once. */
    List<PhysicalEntity> find() throws UnresolvableException {
        for (PreparedReference reference : references) {
            deadline.check();
            for (PhysicalEntity candidate : near(reference)) {
                tallies.computeIfAbsent(candidate, x -> new Tally()).addNear();
            }
        }
        for (PreparedReference reference : references) {
            for (PhysicalEntity candidate : near(reference)) {
                Tally tally = tallies.computeIfAbsent(candidate, x -> new Tally());
                if (!tally.isSettled(stage.match(), references.size(), locality.elsewhere())) {
                    deadline.check();
                    tally.add(reference.satisfies(candidate.geometry(), stage.where()));
                }
            }
        }
        return isIn(new Tally()) ? allBut() : found();
    }

    private List<PhysicalEntity> found() {
        List<PhysicalEntity> found = new ArrayList<>();
        tallies.forEach((candidate, tally) -> {
            if (isIn(tally) && !excluded.contains(candidate)) {
                found.add(candidate);
            }
        });
        return found;
    }

    /** In the order of the indexes: sorting what an identity map has shuffled costs more than all else here. */
    private List<PhysicalEntity> allBut() {
        List<PhysicalEntity> found = new ArrayList<>();
        Set<PhysicalEntity> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (CategoryIndex index : indexes) {
            for (PhysicalEntity candidate : index.entities()) {
                Tally tally = tallies.get(candidate);
                if ((tally == null || isIn(tally))
                        && !excluded.contains(candidate)
                        && (indexes.size() == 1 || seen.add(candidate))) {
                    found.add(candidate);
                }
            }
        }
        return found;
    }

    private boolean isIn(Tally tally) {
        return tally.isIn(stage.match(), references.size(), locality.elsewhere());
    }

    /** Each candidate once. */
    private Collection<PhysicalEntity> near(PreparedReference reference) {
        if (!locality.bounded()) {
            Set<PhysicalEntity> all = Collections.newSetFromMap(new IdentityHashMap<>());
            indexes.forEach(index -> all.addAll(index.entities()));
            return all;
        }
        List<Envelope> boxes = reference.near(locality);
        if (indexes.size() == 1 && boxes.size() == 1) {
            return indexes.get(0).near(boxes.get(0));
        }
        List<PhysicalEntity> proposed = new ArrayList<>();
        for (Envelope box : boxes) {
            for (CategoryIndex index : indexes) {
                proposed.addAll(index.near(box));
            }
        }
        Set<PhysicalEntity> distinct = Collections.newSetFromMap(new IdentityHashMap<>(proposed.size()));
        distinct.addAll(proposed);
        return distinct;
    }
}
