package io.hereabouts.perf.postgis;

import io.hereabouts.perf.MeasurementException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A database made for one run, dropped when closed: what else is on the server is never touched. */
final class OwnDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OwnDatabase.class);

    private final PostgisServer server;
    private final String name;

    private OwnDatabase(PostgisServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** @throws MeasurementException if the server cannot be reached or lets nobody make a database */
    static OwnDatabase create(PostgisServer server) throws MeasurementException {
        String name = "hereabouts_perf_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        try (Connection connection = connect(server, server.database())) {
            execute(connection, "CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new MeasurementException("cannot make a database on " + server.authority(), e);
        }
        return new OwnDatabase(server, name);
    }

    PostgisServer server() {
        return server;
    }

    /** JDBC URL without user and password. */
    String url() {
        return server.url(name);
    }

    /** As somebody would connect who writes such queries, with the one setting that spares them compilation. */
    Connection connect() throws SQLException {
        return connect(server, name);
    }

    private static Connection connect(PostgisServer server, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", server.user());
        properties.setProperty("password", server.password());
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("ApplicationName", "hereabouts perf");
        properties.setProperty("options", "-c jit=off");
        return DriverManager.getConnection(server.url(database), properties);
    }

    /** Versions of PostgreSQL and, if the database has it, PostGIS. */
    static String versions(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 'PostgreSQL ' || current_setting('server_version')"
                        + " || coalesce((SELECT ', PostGIS ' || extversion FROM pg_extension"
                        + " WHERE extname = 'postgis'), '')")) {
            row.next();
            return row.getString(1);
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        try (Connection connection = connect(server, server.database())) {
            execute(connection, "DROP DATABASE " + name + " WITH (FORCE)");
        } catch (SQLException e) {
            LOG.warn("database {} stays on {}: {}", name, server.authority(), e.getMessage());
        }
    }
}
