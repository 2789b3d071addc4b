package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * The paper's second way, here only to be compared with: pairs of neighborhood and entity in a table of the database, a
 * B-tree on either column, one prepared statement for each publication.
 */
final class PairTable implements FilterMapping, AutoCloseable {

    private final Connection connection;
    private final PreparedStatement lookup;

    private PairTable(Connection connection) throws SQLException {
        this.connection = connection;
        this.lookup = connection.prepareStatement("SELECT neighborhood FROM pair WHERE entity = ?");
    }

    /** A new table with these pairs. */
    static PairTable fill(Connection connection, MappingCase shape) throws SQLException, InterruptedException {
        OwnDatabase.execute(
                connection, "CREATE TABLE pair (neighborhood bigint NOT NULL, entity text COLLATE \"C\" NOT NULL)");
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        for (int n = 0; n < shape.neighborhoods(); n++) {
            Interrupts.check();
            StringBuilder rows = new StringBuilder();
            for (EntityId entity : shape.entitiesOf(n)) {
                rows.append(MappingCase.neighborhood(n).handle())
                        .append('\t')
                        .append(entity)
                        .append('\n');
            }
            try {
                copy.copyIn("COPY pair FROM STDIN", new StringReader(rows.toString()));
            } catch (IOException e) {
                throw new IllegalStateException("a string can be read", e);
            }
        }
        OwnDatabase.execute(connection, "CREATE INDEX ON pair (neighborhood)");
        OwnDatabase.execute(connection, "CREATE INDEX ON pair (entity)");
        OwnDatabase.execute(connection, "VACUUM ANALYZE pair");
        return new PairTable(connection);
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
        OwnDatabase.execute(connection, "DROP TABLE pair");
    }
}
