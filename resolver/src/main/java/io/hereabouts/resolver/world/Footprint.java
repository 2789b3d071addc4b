package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.hprtree.HilbertEncoder;

/**
 * What a resolution depended on: as long as a change of the world does not touch it, resolving again gives the same.
 *
 * <p>That is so because each stage's outcome depends on three things only. On the entities that the descriptor names; on
 * the outcome of earlier stages, whose members lie in the reach of those stages; and on its candidates. A candidate that
 * is near no reference is in the stage or not by its category alone (see {@link Locality}): if it is not, then only
 * candidates in boxes around the references count. Immutable.
 *
 * @param named entities that the descriptor names as references, whether they exist or not
 * @param reaches of the stages, by stage index
 */
public record Footprint(Set<EntityId> named, List<Reach> reaches) {

    /** How many boxes a stage keeps; more of them are joined to larger ones. */
    static final int MAX_BOXES = 64;

    private static final int HILBERT_LEVEL = 12;

    public Footprint {
        named = Set.copyOf(named);
        reaches = List.copyOf(reaches);
    }

    /**
     * Which candidates count in one stage.
     *
     * @param categories that the stage selects
     * @param everywhere true if all of them count
     * @param boxes lon/lat; if not everywhere, those that meet one of these count
     */
    public record Reach(List<Category> categories, boolean everywhere, List<Envelope> boxes) {

        public Reach {
            categories = List.copyOf(categories);
            boxes = List.copyOf(boxes);
        }

        /**
         * The reach of a stage.
         *
         * @param references how many it has
         * @param near boxes around them, as {@link Locality} asks for; nothing if it asks for none
         */
        public static Reach of(Stage stage, int references, List<Envelope> near) {
            Locality locality = Locality.of(stage.where());
            boolean farIsIn = new Tally().isIn(stage.match(), references, locality.elsewhere());
            boolean everywhere = !locality.bounded() || farIsIn;
            return new Reach(stage.categories(), everywhere, everywhere ? List.of() : joined(near));
        }

        private boolean isTouchedBy(WorldChange change) {
            return everywhere
                    ? change.touches(categories)
                    : boxes.stream().anyMatch(box -> change.touches(categories, box));
        }
    }

    /** The footprint of a resolution that nothing is known of but the descriptor. */
    public static Footprint unknown(NeighborhoodDescriptor descriptor) {
        return new Footprint(
                named(descriptor),
                descriptor.stages().stream()
                        .map(stage -> new Reach(stage.categories(), true, List.of()))
                        .toList());
    }

    /** The entities that a descriptor names. */
    public static Set<EntityId> named(NeighborhoodDescriptor descriptor) {
        Set<EntityId> named = new HashSet<>();
        for (Stage stage : descriptor.stages()) {
            for (Reference reference : stage.references()) {
                if (reference instanceof Reference.ToEntity entity) {
                    named.add(entity.id());
                }
            }
        }
        return named;
    }

    /** False if resolving again after the change gives the same. */
    public boolean isTouchedBy(WorldChange change) {
        return change.touchesAny(named) || reaches.stream().anyMatch(reach -> reach.isTouchedBy(change));
    }

    /** At most {@link #MAX_BOXES} boxes that cover these; neighbors along a Hilbert curve are joined. */
    private static List<Envelope> joined(List<Envelope> boxes) {
        List<Envelope> distinct = boxes.stream().distinct().toList();
        if (distinct.size() <= MAX_BOXES) {
            return distinct;
        }
        Envelope extent = new Envelope();
        distinct.forEach(extent::expandToInclude);
        HilbertEncoder hilbert = new HilbertEncoder(HILBERT_LEVEL, extent);
        List<Envelope> sorted = new ArrayList<>(distinct);
        sorted.sort(Comparator.comparingInt(hilbert::encode));
        int run = (sorted.size() + MAX_BOXES - 1) / MAX_BOXES;
        List<Envelope> joined = new ArrayList<>();
        for (int i = 0; i < sorted.size(); i += run) {
            Envelope box = new Envelope();
            sorted.subList(i, Math.min(sorted.size(), i + run)).forEach(box::expandToInclude);
            joined.add(box);
        }
        return joined;
    }
}
