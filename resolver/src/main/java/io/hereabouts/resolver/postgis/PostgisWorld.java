package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A world in PostGIS: the tables and functions of schema {@code hereabouts}, which opening creates and migrates. Other
 * programs may read them and write entities; the database numbers versions and logs changes, whoever makes them. Thread-safe.
 */
public final class PostgisWorld implements WorldModel {

    private static final int FETCH = 1000;
    private static final Duration POLL = Duration.ofSeconds(1);
    static final String ENTITY = "SELECT id, categories, ST_AsBinary(geom) FROM hereabouts.entity";

    private static final String MISSING = "SELECT asked.id FROM unnest(?::text[]) AS asked(id)"
            + " WHERE NOT EXISTS (SELECT FROM hereabouts.entity AS e WHERE e.id = asked.id)";

    private final Transactions transactions;
    private final VersionListener listener;
    private final ResolutionLimits limits;

    private PostgisWorld(Transactions transactions, VersionListener listener, ResolutionLimits limits) {
        this.transactions = transactions;
        this.listener = listener;
        this.limits = limits;
    }

    /**
     * Connects, and brings the schema up to date.
     *
     * @throws WorldUnavailableException if the database cannot be reached, is no PostGIS, or the user may not create the
     *     schema; the message says which database
     */
    public static PostgisWorld open(PostgisConnection connection, ResolutionLimits limits)
            throws WorldUnavailableException {
        return new PostgisWorld(Transactions.open(connection), new VersionListener(connection), limits);
    }

    @Override
    public Resolution resolve(NeighborhoodDescriptor descriptor, UnknownReferences unknown)
            throws UnresolvableException, WorldUnavailableException {
        DescriptorQuery query = new DescriptorQuery(descriptor, unknown, limits);
        try {
            return query.isOneStatement() ? transactions.readOnce(query::run) : transactions.read(query::run);
        } catch (StatementTimeoutException e) {
            throw UnresolvableException.tooSlow(limits);
        }
    }

    /**
     * Listens on a connection besides those of the pool, and reads the log once a second whatever it hears. An interrupt
     * or {@link #close} ends the wait within about a second, or when the attempt to connect is over if the database is
     * away; after a close the world is unavailable.
     */
    @Override
    public List<WorldChange> awaitChanges(long since, Duration atMost)
            throws WorldUnavailableException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            List<WorldChange> changes = changes(since);
            long left = deadline - System.nanoTime();
            if (!changes.isEmpty() || left <= 0) {
                return changes;
            }
            listener.await(Math.min(left, POLL.toNanos()));
        }
    }

    private List<WorldChange> changes(long since) throws WorldUnavailableException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (listener.isClosed()) {
            throw new WorldUnavailableException("the world was closed");
        }
        try {
            return read(connection -> ChangeLog.read(connection, since));
        } catch (WorldUnavailableException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw e;
        }
    }

    @Override
    public long version() throws WorldUnavailableException {
        return read(PostgisWorld::version);
    }

    static long version(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT version FROM hereabouts.world");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public MissingEntities missing(Set<EntityId> ids) throws WorldUnavailableException {
        Object[] asked = ids.stream().map(EntityId::value).toArray();
        return read(connection -> {
            Set<EntityId> missing = new HashSet<>();
            try (PreparedStatement statement = connection.prepareStatement(MISSING)) {
                statement.setArray(1, connection.createArrayOf("text", asked));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        missing.add(EntityId.of(rows.getString(1)));
                    }
                }
            }
            return new MissingEntities(version(connection), missing);
        });
    }

    @Override
    public Optional<PhysicalEntity> entity(EntityId id) throws WorldUnavailableException {
        return read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(ENTITY + " WHERE id = ?")) {
                statement.setString(1, id.value());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(entity(row)) : Optional.empty();
                }
            }
        });
    }

    /** If the connection is lost on the way, entities that {@code each} has had already come again. */
    @Override
    public long scan(Consumer<PhysicalEntity> each) throws WorldUnavailableException {
        return read(connection -> {
            long version = version(connection);
            try (PreparedStatement statement = connection.prepareStatement(ENTITY)) {
                statement.setFetchSize(FETCH);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        each.accept(entity(rows));
                    }
                }
            }
            return version;
        });
    }

    static PhysicalEntity entity(ResultSet row) throws SQLException {
        TreeSet<Category> categories = new TreeSet<>();
        Arrays.stream((String[]) row.getArray(2).getArray()).map(Category::of).forEach(categories::add);
        return new PhysicalEntity(EntityId.of(row.getString(1)), OpenPairs.geometry(row.getBytes(3)), categories);
    }

    /** The change set may be committed twice, as two versions, if the connection is lost while it is being committed. */
    @Override
    public long apply(ChangeSet changes) throws WorldUnavailableException {
        if (changes.isEmpty()) {
            return version();
        }
        return plain(() -> transactions.write(new ChangeSetWriter(changes)::run));
    }

    private <T> T read(Transactions.Work<T> work) throws WorldUnavailableException {
        return plain(() -> transactions.read(work));
    }

    /** For what neither resolves a descriptor nor has a timeout. */
    private static <T> T plain(Call<T> call) throws WorldUnavailableException {
        try {
            return call.run();
        } catch (UnresolvableException e) {
            throw new IllegalStateException("nothing was to be resolved", e);
        } catch (StatementTimeoutException e) {
            throw new WorldUnavailableException("the database ended a statement: " + e.getMessage(), e);
        }
    }

    private interface Call<T> {
        T run() throws WorldUnavailableException, UnresolvableException, StatementTimeoutException;
    }

    @Override
    public void close() {
        listener.close();
        transactions.close();
    }
}
