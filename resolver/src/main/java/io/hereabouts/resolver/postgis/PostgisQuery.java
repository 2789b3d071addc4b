package io.hereabouts.resolver.postgis;

import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.ImportRules;
import io.hereabouts.resolver.importing.ReadProgress;
import io.hereabouts.resolver.importing.SourceUnavailableException;
import io.hereabouts.resolver.importing.WorldFile;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Entities out of a table or view of any PostGIS database, by a query. Each row is a feature, each column but the geometry
 * a property; a column {@code id} is the feature's own id. The geometry is transformed to lon/lat WGS 84 by its SRID.
 *
 * <p>The session is read only, and the rows come through a cursor, so a large table needs no more memory than a small one.
 *
 * @param database where it is
 * @param sql one SELECT
 * @param geometry the name of the column with the geometry
 * @param rules how its rows become entities
 */
public record PostgisQuery(PostgisConnection database, String sql, String geometry, ImportRules rules)
        implements WorldFile {

    private static final int FETCH = 1000;
    private static final String READ_ONLY = "25006";

    public PostgisQuery {
        sql = sql.strip().replaceFirst("[;\\s]+$", "");
        if (sql.isEmpty()) {
            throw new IllegalArgumentException("the query is empty");
        }
    }

    @Override
    public String name() {
        return "query";
    }

    @Override
    public List<String> idPrefixes() {
        return rules.ids().prefixes();
    }

    @Override
    public FeatureReader open(ReadProgress progress) throws IOException {
        try {
            Connection connection = connect();
            try {
                return new FeatureReader(rows(connection, progress), rules);
            } catch (SQLException | IOException | RuntimeException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw explained(e);
        }
    }

    private Connection connect() throws SQLException {
        Properties properties = new Properties();
        if (!database.user().isEmpty()) {
            properties.setProperty("user", database.user());
        }
        if (!database.password().isEmpty()) {
            properties.setProperty("password", database.password());
        }
        properties.setProperty(
                "connectTimeout",
                String.valueOf(Math.max(1, database.connectTimeout().toSeconds())));
        properties.setProperty("ApplicationName", "hereabouts import");
        properties.setProperty("readOnlyMode", "always");
        Connection connection = DriverManager.getConnection(database.url(), properties);
        connection.setReadOnly(true);
        // without a transaction there is no cursor
        connection.setAutoCommit(false);
        return connection;
    }

    private QueryRows rows(Connection connection, ReadProgress progress) throws SQLException, IOException {
        List<String> columns = columns(connection);
        if (!columns.remove(geometry)) {
            throw new IOException("the query has no column '" + geometry + "' with a geometry, there are: "
                    + String.join(", ", columns));
        }
        String others =
                columns.stream().map(column -> "s." + quoted(column) + ", ").collect(Collectors.joining());
        PreparedStatement statement = connection.prepareStatement("SELECT " + others
                + "ST_SRID(g.geom), ST_AsBinary(ST_Force2D(CASE WHEN ST_SRID(g.geom) IN (0, 4326) THEN g.geom"
                + " ELSE ST_Transform(g.geom, 4326) END))"
                + " FROM (" + sql + "\n) AS s CROSS JOIN LATERAL (SELECT s." + quoted(geometry)
                + "::geometry AS geom) AS g");
        statement.setFetchSize(FETCH);
        return new QueryRows(connection, statement.executeQuery(), columns, progress);
    }

    private List<String> columns(Connection connection) throws SQLException {
        // the line feed ends a comment that the query may end with
        try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM (" + sql + "\n) AS s LIMIT 0");
                ResultSet none = statement.executeQuery()) {
            ResultSetMetaData row = none.getMetaData();
            List<String> columns = new ArrayList<>();
            for (int i = 1; i <= row.getColumnCount(); i++) {
                columns.add(row.getColumnLabel(i));
            }
            return columns;
        }
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** What the user can do something about is told as a fault of the query. */
    static IOException explained(SQLException e) {
        if (READ_ONLY.equals(e.getSQLState())) {
            return new IOException("the query failed, it may only read: " + e.getMessage(), e);
        }
        return switch (SqlState.of(e)) {
            case CONNECTION_LOST, UNAVAILABLE ->
                new SourceUnavailableException("the query cannot be asked: " + e.getMessage(), e);
            default -> new IOException("the query failed: " + e.getMessage(), e);
        };
    }
}
