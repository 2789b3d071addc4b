package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The paper's second way, here only to be compared with: pairs of neighborhood and entity in a table of the database, a
 * B-tree on either column, one prepared statement for each publication.
 */
final class PairTable implements FilterMapping {

    private static final int BATCH = 1 << 20;

    private final Connection connection;
    private final PreparedStatement lookup;
    private final PreparedStatement add;
    private final PreparedStatement remove;

    private PairTable(Connection connection) throws SQLException {
        this.connection = connection;
        this.lookup = connection.prepareStatement("SELECT neighborhood FROM pair WHERE entity = ?");
        this.add = connection.prepareStatement("INSERT INTO pair SELECT ?, unnest(?::text[])");
        this.remove = connection.prepareStatement("DELETE FROM pair WHERE neighborhood = ?");
    }

    /** A new table with these pairs. */
    static PairTable fill(Connection connection, MappingCase shape) throws SQLException, InterruptedException {
        OwnDatabase.execute(
                connection, "CREATE TABLE pair (neighborhood bigint NOT NULL, entity text COLLATE \"C\" NOT NULL)");
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        StringBuilder rows = new StringBuilder();
        for (int n = 0; n < shape.neighborhoods(); n++) {
            for (EntityId entity : shape.entitiesOf(n)) {
                rows.append(MappingCase.neighborhood(n).handle())
                        .append('\t')
                        .append(entity)
                        .append('\n');
            }
            if (rows.length() > BATCH || n == shape.neighborhoods() - 1) {
                Interrupts.check();
                copy(copy, rows);
                rows.setLength(0);
            }
        }
        OwnDatabase.execute(connection, "CREATE INDEX ON pair (neighborhood)");
        OwnDatabase.execute(connection, "CREATE INDEX ON pair (entity)");
        OwnDatabase.execute(connection, "VACUUM ANALYZE pair");
        return new PairTable(connection);
    }

    private static void copy(CopyManager copy, StringBuilder rows) throws SQLException {
        try {
            copy.copyIn("COPY pair FROM STDIN", new StringReader(rows.toString()));
        } catch (IOException e) {
            throw new IllegalStateException("a string can be read", e);
        }
    }

    @Override
    public void add(NeighborhoodId neighborhood, List<EntityId> entities) throws SQLException {
        add.setLong(1, neighborhood.handle());
        add.setArray(
                2,
                connection.createArrayOf(
                        "text", entities.stream().map(EntityId::value).toArray()));
        add.executeUpdate();
    }

    @Override
    public void remove(NeighborhoodId neighborhood) throws SQLException {
        remove.setLong(1, neighborhood.handle());
        remove.executeUpdate();
    }

    @Override
    public long[] handles(EntityId entity) throws SQLException {
        lookup.setString(1, entity.value());
        long[] handles = new long[8];
        int count = 0;
        try (ResultSet rows = lookup.executeQuery()) {
            while (rows.next()) {
                if (count == handles.length) {
                    handles = Arrays.copyOf(handles, 2 * count);
                }
                handles[count++] = rows.getLong(1);
            }
        }
        return Arrays.copyOf(handles, count);
    }

    @Override
    public void close() throws SQLException {
        lookup.close();
        add.close();
        remove.close();
        OwnDatabase.execute(connection, "DROP TABLE pair");
    }
}
