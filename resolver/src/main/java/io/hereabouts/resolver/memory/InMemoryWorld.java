package io.hereabouts.resolver.memory;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.PreparedReference;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/**
 * A world in memory. It is never unavailable and forgets everything when the process ends: who feeds it keeps the
 * entities. Thread-safe; a resolution works on the snapshot that was the newest when it began.
 */
public final class InMemoryWorld implements WorldModel {

    private static final int REMEMBERED = 200_000;

    private final ResolutionLimits limits;
    private final LongSupplier nanoTime;
    private final ChangeHistory history = new ChangeHistory(REMEMBERED);
    private volatile Snapshot newest = Snapshot.EMPTY;

    public InMemoryWorld(ResolutionLimits limits) {
        this(limits, System::nanoTime);
    }

    InMemoryWorld(ResolutionLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    @Override
    public Resolution resolve(NeighborhoodDescriptor descriptor, UnknownReferences unknown)
            throws UnresolvableException {
        Snapshot world = newest;
        Deadline deadline = new Deadline(limits, nanoTime);
        List<List<PhysicalEntity>> found = new ArrayList<>();
        List<List<EntityId>> ids = new ArrayList<>();
        Set<EntityId> missing = new HashSet<>();
        List<Footprint.Reach> reaches = new ArrayList<>();
        for (int i = 0; i < descriptor.stages().size(); i++) {
            Stage stage = descriptor.stages().get(i);
            Set<PhysicalEntity> references = referenceEntities(world, stage, found, missing);
            if (unknown == UnknownReferences.REFUSE && !missing.isEmpty()) {
                throw UnresolvableException.unknownReference(
                        i, missing.iterator().next());
            }
            List<PreparedReference> prepared = new ArrayList<>();
            references.forEach(r -> prepared.add(new PreparedReference(r.geometry())));
            inlineGeometries(stage).forEach(g -> prepared.add(new PreparedReference(g)));
            List<PhysicalEntity> entities =
                    new StageSearch(stage, world.selectedBy(stage.categories()), prepared, references, deadline).find();
            found.add(entities);
            ids.add(entities.stream().map(PhysicalEntity::id).sorted().toList());
            reaches.add(reach(stage, prepared));
        }
        Footprint footprint = new Footprint(Footprint.named(descriptor), reaches);
        Resolution resolution = Resolution.of(world.version(), ids, descriptor.select(), missing, footprint);
        if (resolution.selected().size() > limits.maxEntities()) {
            throw UnresolvableException.tooManyEntities(resolution.selected().size(), limits);
        }
        return resolution;
    }

    private static Footprint.Reach reach(Stage stage, List<PreparedReference> references) {
        Locality locality = Locality.of(stage.where());
        List<Envelope> near = locality.bounded()
                ? references.stream().flatMap(r -> r.near(locality).stream()).toList()
                : List.of();
        return Footprint.Reach.of(stage, references.size(), near);
    }

    private static Set<PhysicalEntity> referenceEntities(
            Snapshot world, Stage stage, List<List<PhysicalEntity>> earlier, Set<EntityId> missing) {
        Set<PhysicalEntity> references = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Reference reference : stage.references()) {
            if (reference instanceof Reference.ToEntity named) {
                PhysicalEntity entity = world.entity(named.id());
                if (entity == null) {
                    missing.add(named.id());
                } else {
                    references.add(entity);
                }
            }
        }
        stage.from().forEach(i -> references.addAll(earlier.get(i)));
        return references;
    }

    private static List<Geometry> inlineGeometries(Stage stage) {
        List<Geometry> geometries = new ArrayList<>();
        for (Reference reference : stage.references()) {
            if (reference instanceof Reference.ToGeometry inline) {
                try {
                    geometries.add(new WKTReader().read(inline.wkt()));
                } catch (ParseException e) {
                    throw new IllegalArgumentException("descriptor was not checked: " + inline.wkt(), e);
                }
            }
        }
        return geometries;
    }

    @Override
    public long version() {
        return newest.version();
    }

    @Override
    public MissingEntities missing(Set<EntityId> ids) {
        Snapshot world = newest;
        return new MissingEntities(
                world.version(),
                ids.stream().filter(id -> world.entity(id) == null).collect(Collectors.toSet()));
    }

    @Override
    public Optional<PhysicalEntity> entity(EntityId id) {
        return Optional.ofNullable(newest.entity(id));
    }

    @Override
    public long scan(Consumer<PhysicalEntity> each) {
        Snapshot world = newest;
        world.entities().forEach(each);
        return world.version();
    }

    @Override
    public List<WorldChange> awaitChanges(long since, Duration atMost) throws InterruptedException {
        return history.await(since, atMost);
    }

    @Override
    public synchronized long apply(ChangeSet changes) {
        return changes.isEmpty() ? newest.version() : become(changes, newest.version() + 1);
    }

    /**
     * Like {@link #apply}, for changes that were numbered elsewhere. What was before the first one is not known to this
     * world.
     *
     * @param version later than the world's, unless there are no changes
     */
    public synchronized long apply(ChangeSet changes, long version) {
        long before = newest.version();
        if (version < before || (version == before && !changes.isEmpty())) {
            throw new IllegalArgumentException("version is " + version + ", the world is at " + before + " already");
        }
        if (version > before) {
            become(changes, version);
            if (before == 0) {
                history.begin(version);
            }
        }
        return version;
    }

    private long become(ChangeSet changes, long version) {
        Snapshot before = newest;
        newest = before.with(changes, version);
        history.add(WorldChange.of(version, touched(changes, before)));
        return version;
    }

    private static List<WorldChange.Touched> touched(ChangeSet changes, Snapshot before) {
        List<WorldChange.Touched> touched = new ArrayList<>(changes.size());
        changes.upserts().forEach((id, now) -> {
            PhysicalEntity old = before.entity(id);
            if (!now.equals(old)) {
                touched.add(WorldChange.Touched.between(id, old, now));
            }
        });
        for (EntityId id : changes.deletes()) {
            PhysicalEntity old = before.entity(id);
            if (old != null) {
                touched.add(WorldChange.Touched.between(id, old, null));
            }
        }
        return touched;
    }

    @Override
    public void close() {
        newest = Snapshot.EMPTY;
    }
}
