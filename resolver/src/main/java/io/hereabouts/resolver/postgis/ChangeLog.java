package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.world.WorldChange;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Envelope;
import org.postgresql.geometric.PGbox;

/** Reads what the database has logged of changes. No state. */
final class ChangeLog {

    private static final int FETCH = 2000;
    private static final String KNOWN = "SELECT version FROM hereabouts.change WHERE version > ? AND NOT everything";
    private static final String TOUCHED =
            "SELECT version, id, categories_before, categories_after, box_before, box_after"
                    + " FROM hereabouts.touched WHERE version > ? ORDER BY version";

    private ChangeLog() {}

    /**
     * The changes after {@code since}, oldest first; one that says that everything may have changed unless all of them are
     * known. All in one snapshot, so the log is as new as the version.
     */
    static List<WorldChange> read(Connection connection, long since) throws SQLException {
        long newest = PostgisWorld.version(connection);
        if (newest == since) {
            return List.of();
        }
        Map<Long, List<WorldChange.Touched>> touched = known(connection, since);
        if (touched.size() != newest - since) {
            return List.of(WorldChange.everything(newest));
        }
        try (PreparedStatement statement = connection.prepareStatement(TOUCHED)) {
            statement.setFetchSize(FETCH);
            statement.setLong(1, since);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    touched.getOrDefault(rows.getLong(1), new ArrayList<>()).add(touched(rows));
                }
            }
        }
        List<WorldChange> changes = new ArrayList<>(touched.size());
        touched.forEach((version, entities) -> changes.add(WorldChange.of(version, entities)));
        return changes;
    }

    private static Map<Long, List<WorldChange.Touched>> known(Connection connection, long since) throws SQLException {
        Map<Long, List<WorldChange.Touched>> known = new TreeMap<>();
        try (PreparedStatement statement = connection.prepareStatement(KNOWN)) {
            statement.setLong(1, since);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    known.put(rows.getLong(1), new ArrayList<>());
                }
            }
        }
        return known;
    }

    private static WorldChange.Touched touched(ResultSet row) throws SQLException {
        Set<Category> categories = new HashSet<>();
        List<Envelope> boxes = new ArrayList<>();
        for (int state = 0; state < 2; state++) {
            @Nullable Array paths = row.getArray(3 + state);
            if (paths != null) {
                for (String path : (String[]) paths.getArray()) {
                    categories.add(Category.of(path));
                }
                boxes.add(Boxes.envelope(row.getObject(5 + state, PGbox.class)));
            }
        }
        return new WorldChange.Touched(EntityId.of(row.getString(2)), categories, boxes);
    }
}
