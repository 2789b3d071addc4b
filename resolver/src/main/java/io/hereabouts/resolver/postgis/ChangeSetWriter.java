package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.locationtech.jts.io.WKBWriter;

/** Writes one change set as one version. For one thread. */
final class ChangeSetWriter {

    private static final int ENTITIES_A_STATEMENT = 2000;
    private static final int BYTES_A_STATEMENT = 8 << 20;
    private static final String NEXT_VERSION = "UPDATE hereabouts.world SET version = version + 1 RETURNING version";
    private static final String DELETE = "DELETE FROM hereabouts.entity WHERE id = ANY (?)";
    private static final String UPSERT = "INSERT INTO hereabouts.entity (id, geom, categories, version)"
            + " SELECT id, ST_GeomFromWKB(geom, 4326), string_to_array(categories, E'\\n'), ?"
            + " FROM unnest(?::text[], ?::bytea[], ?::text[]) AS changed (id, geom, categories)"
            + " ON CONFLICT (id) DO UPDATE"
            + " SET geom = excluded.geom, categories = excluded.categories, version = excluded.version";

    private final ChangeSet changes;
    private final List<String> ids = new ArrayList<>();
    private final List<byte[]> geometries = new ArrayList<>();
    private final List<String> categories = new ArrayList<>();
    private long bytes;

    ChangeSetWriter(ChangeSet changes) {
        this.changes = changes;
    }

    /** The version made. */
    long run(Connection connection) throws SQLException {
        // another attempt may have been broken off
        clear();
        long version = nextVersion(connection);
        delete(connection);
        WKBWriter wkb = new WKBWriter(2);
        for (PhysicalEntity entity : changes.upserts().values()) {
            byte[] geometry = wkb.write(entity.geometry());
            ids.add(entity.id().value());
            geometries.add(geometry);
            categories.add(entity.categories().stream().map(Category::path).collect(Collectors.joining("\n")));
            bytes += geometry.length;
            if (ids.size() == ENTITIES_A_STATEMENT || bytes > BYTES_A_STATEMENT) {
                upsert(connection, version);
            }
        }
        if (!ids.isEmpty()) {
            upsert(connection, version);
        }
        return version;
    }

    /** Locks the row of the version until the commit: writers come one after the other. */
    private static long nextVersion(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NEXT_VERSION);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    private void delete(Connection connection) throws SQLException {
        if (!changes.deletes().isEmpty()) {
            try (PreparedStatement statement = connection.prepareStatement(DELETE)) {
                Object[] deleted =
                        changes.deletes().stream().map(EntityId::value).toArray();
                statement.setArray(1, connection.createArrayOf("text", deleted));
                statement.executeUpdate();
            }
        }
    }

    private void upsert(Connection connection, long version) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPSERT)) {
            statement.setLong(1, version);
            statement.setArray(2, connection.createArrayOf("text", ids.toArray()));
            statement.setArray(3, connection.createArrayOf("bytea", geometries.toArray(new byte[0][])));
            statement.setArray(4, connection.createArrayOf("text", categories.toArray()));
            statement.executeUpdate();
        }
        clear();
    }

    private void clear() {
        ids.clear();
        geometries.clear();
        categories.clear();
        bytes = 0;
    }
}
