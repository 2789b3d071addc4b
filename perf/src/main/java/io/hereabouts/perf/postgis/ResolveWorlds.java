package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.postgis.PostgisConnection;
import io.hereabouts.resolver.postgis.PostgisWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** One world in memory and the same in PostGIS, where SQL can be asked about it too. */
final class ResolveWorlds implements AutoCloseable {

    private static final ResolutionLimits LIMITS = new ResolutionLimits(10_000_000, Duration.ofMinutes(10));
    private static final int CHANGE_SET = 50_000;

    private final WorldModel memory = new InMemoryWorld(LIMITS);
    private final OwnDatabase database;
    private final WorldModel postgis;
    private final Connection connection;

    private ResolveWorlds(OwnDatabase database, WorldModel postgis, Connection connection) {
        this.database = database;
        this.postgis = postgis;
        this.connection = connection;
    }

    /** Makes both, in a database of their own. */
    static ResolveWorlds fill(PostgisServer server, List<PhysicalEntity> entities, Progress progress)
            throws MeasurementException, InterruptedException {
        OwnDatabase database = OwnDatabase.create(server);
        try {
            Connection connection = database.connect();
            WorldModel postgis =
                    PostgisWorld.open(PostgisConnection.of(database.url(), server.user(), server.password()), LIMITS);
            ResolveWorlds worlds = new ResolveWorlds(database, postgis, connection);
            worlds.fill(entities, progress);
            return worlds;
        } catch (SQLException | WorldUnavailableException e) {
            database.close();
            Interrupts.check();
            throw new MeasurementException("PostGIS", e);
        } catch (InterruptedException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private void fill(List<PhysicalEntity> entities, Progress progress)
            throws WorldUnavailableException, SQLException, InterruptedException {
        for (int from = 0; from < entities.size(); from += CHANGE_SET) {
            Interrupts.check();
            ChangeSet changes = ChangeSet.upsert(entities.subList(from, Math.min(entities.size(), from + CHANGE_SET)));
            memory.apply(changes);
            postgis.apply(changes);
        }
        progress.line("indexing");
        // who asks for metres by SQL has this index; the world does not need it
        OwnDatabase.execute(connection, "CREATE INDEX ON hereabouts.entity USING gist ((geom::geography))");
        OwnDatabase.execute(connection, "VACUUM ANALYZE hereabouts.entity");
    }

    Contender memory() {
        return of(memory);
    }

    Contender postgis() {
        return of(postgis);
    }

    Contender sql() {
        return new PlainSql(connection);
    }

    String versions() throws SQLException {
        return OwnDatabase.versions(connection);
    }

    private static Contender of(WorldModel world) {
        return question -> world.resolve(question.descriptor()).selected();
    }

    @Override
    public void close() {
        // an interrupted pool would not wait for its connections
        boolean interrupted = Thread.interrupted();
        postgis.close();
        database.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
