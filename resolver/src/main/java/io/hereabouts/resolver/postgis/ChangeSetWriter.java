package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.ChangeSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.locationtech.jts.io.WKBWriter;

/** Writes one change set as one version, which the database numbers and logs by itself. For one thread. */
final class ChangeSetWriter {

    private static final int ENTITIES_A_STATEMENT = 2000;
    private static final int BYTES_A_STATEMENT = 8 << 20;
    private static final String DELETE = "DELETE FROM hereabouts.entity WHERE id = ANY (?)";
    private static final String UPSERT = "INSERT INTO hereabouts.entity AS e (id, geom, categories)"
            + " SELECT id, ST_GeomFromWKB(geom, 4326), string_to_array(categories, E'\\n')"
            + " FROM unnest(?::text[], ?::bytea[], ?::text[]) AS changed (id, geom, categories)"
            + " ON CONFLICT (id) DO UPDATE SET geom = excluded.geom, categories = excluded.categories"
            + " WHERE (e.geom, e.categories) IS DISTINCT FROM (excluded.geom, excluded.categories)";

    private final ChangeSet changes;
    private final List<String> ids = new ArrayList<>();
    private final List<byte[]> geometries = new ArrayList<>();
    private final List<String> categories = new ArrayList<>();
    private long bytes;

    ChangeSetWriter(ChangeSet changes) {
        this.changes = changes;
    }

    /** The version made. The change set is not empty. */
    long run(Connection connection) throws SQLException {
        // another attempt may have been broken off
        clear();
        delete(connection);
        WKBWriter wkb = new WKBWriter(2);
        for (PhysicalEntity entity : changes.upserts().values()) {
            byte[] geometry = wkb.write(entity.geometry());
            ids.add(entity.id().value());
            geometries.add(geometry);
            categories.add(entity.categories().stream().map(Category::path).collect(Collectors.joining("\n")));
            bytes += geometry.length;
            if (ids.size() == ENTITIES_A_STATEMENT || bytes > BYTES_A_STATEMENT) {
                upsert(connection);
            }
        }
        if (!ids.isEmpty()) {
            upsert(connection);
        }
        return PostgisWorld.version(connection);
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

    private void upsert(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPSERT)) {
            statement.setArray(1, connection.createArrayOf("text", ids.toArray()));
            statement.setArray(2, connection.createArrayOf("bytea", geometries.toArray(new byte[0][])));
            statement.setArray(3, connection.createArrayOf("text", categories.toArray()));
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
