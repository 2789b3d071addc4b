package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.locationtech.jts.geom.Envelope;

/**
 * Resolves one descriptor in one snapshot: the database proposes and decides what it can, stage by stage, and
 * {@link OpenPairs} decides what it leaves open. For one thread.
 */
final class DescriptorQuery {

    private final NeighborhoodDescriptor descriptor;
    private final UnknownReferences onUnknown;
    private final ResolutionLimits limits;
    private final long deadline;

    DescriptorQuery(NeighborhoodDescriptor descriptor, UnknownReferences onUnknown, ResolutionLimits limits) {
        this.descriptor = descriptor;
        this.onUnknown = onUnknown;
        this.limits = limits;
        this.deadline = System.nanoTime() + limits.maxTime().toNanos();
    }

    /** Whether a single statement will do: one reference, and nothing depends on whether it is there. */
    boolean isOneStatement() {
        Stage first = descriptor.stages().get(0);
        return descriptor.stages().size() == 1 && first.references().size() == 1 && first.match() == Quantifier.ANY;
    }

    Resolution run(Connection connection) throws SQLException, UnresolvableException {
        long version = 0;
        Set<EntityId> unknown = new HashSet<>();
        List<List<EntityId>> stages = new ArrayList<>();
        List<Footprint.Reach> reaches = new ArrayList<>();
        for (int i = 0; i < descriptor.stages().size(); i++) {
            Stage stage = descriptor.stages().get(i);
            StageQuery query = new StageQuery(stage, referenceIds(stage, stages));
            StageRows rows = query.run(connection, millisLeft());
            version = rows.worldVersion;
            for (EntityId missing : missing(stage, rows)) {
                if (onUnknown == UnknownReferences.REFUSE) {
                    throw UnresolvableException.unknownReference(i, missing);
                }
                unknown.add(missing);
            }
            stages.add(new StageDecision(connection, stage, query.assumed(), rows).entities(this::checkTime));
            reaches.add(reach(stage, rows));
        }
        Footprint footprint = new Footprint(Footprint.named(descriptor), reaches);
        Resolution resolution = Resolution.of(version, stages, descriptor.select(), unknown, footprint);
        if (resolution.selected().size() > limits.maxEntities()) {
            throw UnresolvableException.tooManyEntities(resolution.selected().size(), limits);
        }
        return resolution;
    }

    /** Of the entities that a stage names or takes from earlier ones. */
    private static Set<String> referenceIds(Stage stage, List<List<EntityId>> earlier) {
        Set<String> ids = new HashSet<>();
        named(stage).forEach(id -> ids.add(id.value()));
        stage.from().forEach(i -> earlier.get(i).forEach(id -> ids.add(id.value())));
        return ids;
    }

    private static List<EntityId> named(Stage stage) {
        List<EntityId> named = new ArrayList<>();
        for (Reference reference : stage.references()) {
            if (reference instanceof Reference.ToEntity entity) {
                named.add(entity.id());
            }
        }
        return named;
    }

    /** References that are no entities. */
    private static List<EntityId> missing(Stage stage, StageRows rows) {
        Set<String> found = new HashSet<>();
        rows.references.forEach(reference -> found.add(String.valueOf(reference.id())));
        return named(stage).stream().filter(id -> !found.contains(id.value())).toList();
    }

    private static Footprint.Reach reach(Stage stage, StageRows rows) {
        Locality locality = Locality.of(stage.where());
        List<Envelope> near = locality.bounded()
                ? rows.references.stream()
                        .flatMap(reference -> locality.near(reference.box()).stream())
                        .toList()
                : List.of();
        return Footprint.Reach.of(stage, rows.references.size(), near);
    }

    private long millisLeft() throws UnresolvableException {
        checkTime();
        return Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
    }

    private void checkTime() throws UnresolvableException {
        if (System.nanoTime() - deadline > 0) {
            throw UnresolvableException.tooSlow(limits);
        }
    }
}
