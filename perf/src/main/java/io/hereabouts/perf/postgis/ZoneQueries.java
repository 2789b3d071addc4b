package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.mqtt.Zones;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.io.WKTWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What somebody would do who has PostGIS and no Hereabouts: for each publication ask in which zones its entity is. The
 * tables and their spatial indexes are in a database of their own, dropped when closed. Lookups may be made on any thread,
 * each is for one.
 */
public final class ZoneQueries implements Zones {

    private static final Logger LOG = LoggerFactory.getLogger(ZoneQueries.class);

    private final OwnDatabase database;

    private ZoneQueries(OwnDatabase database) {
        this.database = database;
    }

    /**
     * Fills the tables.
     *
     * @throws MeasurementException if the server refuses something
     */
    public static ZoneQueries fill(PostgisServer server, List<PhysicalEntity> zones, List<PhysicalEntity> others)
            throws MeasurementException {
        ZoneQueries queries = new ZoneQueries(OwnDatabase.create(server));
        try (Connection connection = queries.database.connect()) {
            OwnDatabase.execute(connection, "CREATE EXTENSION postgis");
            fill(connection, "zone", zones);
            fill(connection, "entity", others);
            return queries;
        } catch (SQLException e) {
            queries.close();
            throw new MeasurementException("the tables of zones and entities cannot be filled", e);
        }
    }

    private static void fill(Connection connection, String table, List<PhysicalEntity> rows) throws SQLException {
        OwnDatabase.execute(
                connection, "CREATE TABLE " + table + " (id text PRIMARY KEY, geom geometry(Geometry, 4326) NOT NULL)");
        WKTWriter wkt = new WKTWriter();
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ST_GeomFromText(?, 4326))")) {
            for (PhysicalEntity row : rows) {
                insert.setString(1, row.id().value());
                insert.setString(2, wkt.write(row.geometry()));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        OwnDatabase.execute(connection, "CREATE INDEX ON " + table + " USING gist (geom)");
        OwnDatabase.execute(connection, "ANALYZE " + table);
    }

    @Override
    public Lookup lookup() throws MeasurementException {
        try {
            return new Question(database.connect());
        } catch (SQLException e) {
            throw new MeasurementException("no connection to the tables of zones", e);
        }
    }

    /** One prepared question on one connection. For one thread. */
    private static final class Question implements Lookup {
        private final Connection connection;
        private final PreparedStatement zones;

        Question(Connection connection) throws SQLException {
            this.connection = connection;
            this.zones = connection.prepareStatement(
                    "SELECT z.id FROM entity e JOIN zone z ON ST_Intersects(z.geom, e.geom) WHERE e.id = ?");
        }

        @Override
        public List<String> zonesOf(String entity) throws MeasurementException {
            List<String> ids = new ArrayList<>();
            try {
                zones.setString(1, entity);
                try (ResultSet rows = zones.executeQuery()) {
                    while (rows.next()) {
                        ids.add(rows.getString(1));
                    }
                }
            } catch (SQLException e) {
                throw new MeasurementException("the zones of " + entity, e);
            }
            return ids;
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.warn("a connection did not close: {}", e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        database.close();
    }
}
