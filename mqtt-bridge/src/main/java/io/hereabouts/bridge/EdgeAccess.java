package io.hereabouts.bridge;

import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.access.Places;
import io.hereabouts.bridge.kafka.KnownEntities;
import io.hereabouts.bridge.kafka.SpokenFor;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.Generations;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may do what on an edge, and what it has to know of the world for that. Thread-safe. */
final class EdgeAccess implements Places, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeAccess.class);

    private final EdgeConfig config;
    private final String name;
    private final InstantSource clock;
    private final Optional<Access> access;
    private volatile @Nullable KnownEntities entities;
    private volatile @Nullable SpokenFor spokenFor;
    private boolean categories;
    private boolean closed;

    private EdgeAccess(EdgeConfig config, String name, InstantSource clock, Optional<Access> access) {
        this.clock = clock;
        this.config = config;
        this.name = name;
        this.access = access;
    }

    /** @throws IllegalStateException with everything that is wrong with the security file */
    static EdgeAccess open(EdgeConfig config, String name, InstantSource clock, EdgeMetrics metrics) {
        Optional<Access> access = config.security()
                .map(settings -> Access.open(
                        settings,
                        new DescriptorParser(config.descriptors()),
                        clock,
                        reload -> metrics.securityReload(reload.name().toLowerCase(Locale.ROOT))));
        EdgeAccess opened = new EdgeAccess(config, name, clock, access);
        try {
            opened.load();
            access.ifPresent(a -> a.onChange(opened::loadAgain));
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** The entities of a large world take memory: they are read only where somebody asks for them. */
    private synchronized void load() {
        boolean wanted = access.map(Access::asksForCategories).orElse(false);
        if (closed || (wanted ? categories : !config.strictEntities() || entities != null)) {
            return;
        }
        KnownEntities before = entities;
        entities = KnownEntities.load(
                config.kafka(), name + "-entities", config.topics().entities(), wanted);
        categories = wanted;
        if (before != null) {
            before.close();
        }
    }

    private void loadAgain() {
        try {
            load();
        } catch (RuntimeException e) {
            LOG.error("the categories of entities cannot be read: nobody may publish by them", e);
        }
    }

    Optional<Access> access() {
        return access;
    }

    /** From now on it is known who is in the neighborhoods that somebody may speak for. */
    void follow(EdgeLoop loop, Subscriptions subscriptions, Supplier<Generations> generations) {
        access.ifPresent(a -> {
            Runnable look = () -> {
                Set<NeighborhoodDescriptor> all = a.spokenFor();
                loop.execute(() -> subscriptions.hold(all, clock.millis()));
                want(all.stream().map(NeighborhoodDescriptor::id).collect(Collectors.toSet()), generations);
            };
            a.onChange(look);
            look.run();
        });
    }

    private synchronized void want(Set<NeighborhoodId> neighborhoods, Supplier<Generations> generations) {
        SpokenFor reader = spokenFor;
        if (reader == null && !neighborhoods.isEmpty() && !closed) {
            reader = SpokenFor.start(config.kafka(), name + "-filters", config.topics(), generations, neighborhoods);
            spokenFor = reader;
        }
        if (reader != null) {
            reader.want(neighborhoods);
        }
    }

    /** Whether an entity may be published about. */
    boolean isKnown(EntityId entity) {
        KnownEntities known = entities;
        return !config.strictEntities() || (known != null && known.contains(entity));
    }

    @Override
    public List<Category> categories(EntityId entity) {
        KnownEntities known = entities;
        return known == null ? List.of() : known.categories(entity);
    }

    @Override
    public boolean contains(NeighborhoodId neighborhood, EntityId entity) {
        SpokenFor reader = spokenFor;
        return reader != null && reader.contains(neighborhood, entity);
    }

    @Override
    public void close() {
        access.ifPresent(Access::close);
        synchronized (this) {
            closed = true;
            KnownEntities known = entities;
            if (known != null) {
                known.close();
            }
            SpokenFor reader = spokenFor;
            if (reader != null) {
                reader.close();
            }
        }
    }
}
