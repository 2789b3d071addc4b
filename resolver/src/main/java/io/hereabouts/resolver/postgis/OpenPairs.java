package io.hereabouts.resolver.postgis;

import io.hereabouts.model.neighborhood.Quantifier;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.PreparedReference;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;

/**
 * The candidates of a stage whose membership depends on pairs that the database does not decide: metres, collections of
 * mixed types, and lines that cross themselves. They are decided here by the very test that the world in memory uses.
 * Each geometry crosses the wire once. For one thread.
 */
final class OpenPairs {

    private static final int FETCH = 500;
    private static final String REFERENCES = "SELECT r.ordinal, ST_AsBinary(r.geom) FROM stage_reference r"
            + " WHERE r.stage = ? AND r.ordinal IN"
            + " (SELECT unnest(open_pairs) FROM stage_candidate WHERE stage = ? AND is_in IS NULL)";
    private static final String CANDIDATES = "SELECT c.id, c.open_pairs, ST_AsBinary(e.geom) FROM stage_candidate c"
            + " JOIN hereabouts.entity e ON e.id = c.id WHERE c.stage = ? AND c.is_in IS NULL";
    private static final String ADMIT =
            "UPDATE stage_candidate SET is_in = true WHERE stage = ? AND is_in IS NULL AND id = ANY (?)";

    private final Connection connection;
    private final int index;
    private final Stage stage;
    private final Map<Integer, PreparedReference> references = new HashMap<>();

    OpenPairs(Connection connection, int index, Stage stage) {
        this.connection = connection;
        this.index = index;
        this.stage = stage;
    }

    /** Looks at the clock now and then. */
    interface Clock {
        void check() throws UnresolvableException;
    }

    /** Settles all of them in the database. */
    void decide(Clock clock) throws SQLException, UnresolvableException {
        readReferences();
        List<String> in = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(CANDIDATES)) {
            statement.setFetchSize(FETCH);
            statement.setInt(1, index);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    clock.check();
                    Integer[] pairs = (Integer[]) rows.getArray(2).getArray();
                    if (isIn(geometry(rows.getBytes(3)), pairs, clock)) {
                        in.add(rows.getString(1));
                    }
                }
            }
        }
        try (PreparedStatement statement = connection.prepareStatement(ADMIT)) {
            statement.setInt(1, index);
            statement.setArray(2, connection.createArrayOf("text", in.toArray()));
            statement.executeUpdate();
        }
    }

    private void readReferences() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REFERENCES)) {
            statement.setInt(1, index);
            statement.setInt(2, index);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    references.put(rows.getInt(1), new PreparedReference(geometry(rows.getBytes(2))));
                }
            }
        }
    }

    /** All pairs that the database decided left the outcome open, so these alone settle it. */
    private boolean isIn(Geometry candidate, Integer[] pairs, Clock clock) throws UnresolvableException {
        boolean wanted = stage.match() != Quantifier.ALL;
        for (Integer ordinal : pairs) {
            clock.check();
            PreparedReference reference = references.get(ordinal);
            if (reference == null) {
                throw new IllegalStateException("reference " + ordinal + " of stage " + index + " is missing");
            }
            if (reference.satisfies(candidate, stage.where()) == wanted) {
                return stage.match() == Quantifier.ANY;
            }
        }
        return stage.match() != Quantifier.ANY;
    }

    static Geometry geometry(byte[] wkb) {
        try {
            return new WKBReader().read(wkb);
        } catch (ParseException e) {
            throw new IllegalStateException("PostGIS sent a geometry that JTS cannot read", e);
        }
    }
}
