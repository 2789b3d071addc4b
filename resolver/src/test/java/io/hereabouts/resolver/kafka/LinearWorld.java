package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A world that looks at every entity: one stage, entities as references, intersects. What tests expect comes from it. */
final class LinearWorld implements WorldModel {

    private final Map<EntityId, PhysicalEntity> entities = new ConcurrentHashMap<>();
    private final ResolutionLimits limits;

    LinearWorld(List<PhysicalEntity> all, ResolutionLimits limits) {
        all.forEach(e -> entities.put(e.id(), e));
        this.limits = limits;
    }

    @Override
    public Resolution resolve(NeighborhoodDescriptor descriptor) throws UnresolvableException {
        Stage stage = descriptor.stages().get(0);
        EntityId id = ((Reference.ToEntity) stage.references().get(0)).id();
        PhysicalEntity reference = entities.get(id);
        if (reference == null) {
            throw UnresolvableException.unknownReference(0, id);
        }
        List<EntityId> found = entities.values().stream()
                .filter(e -> !e.id().equals(id) && stage.categories().stream().anyMatch(e::isA))
                .filter(e -> e.geometry().intersects(reference.geometry()))
                .map(PhysicalEntity::id)
                .sorted()
                .toList();
        if (found.size() > limits.maxEntities()) {
            throw UnresolvableException.tooManyEntities(found.size(), limits);
        }
        return new Resolution(1, List.of(found), found);
    }

    @Override
    public long version() {
        return 1;
    }

    @Override
    public Optional<PhysicalEntity> entity(EntityId id) {
        return Optional.ofNullable(entities.get(id));
    }

    @Override
    public long scan(Consumer<PhysicalEntity> each) {
        entities.values().forEach(each);
        return 1;
    }

    @Override
    public long apply(ChangeSet changes) {
        throw new UnsupportedOperationException("this world does not change");
    }

    @Override
    public void close() {}
}
