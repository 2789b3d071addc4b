package io.hereabouts.resolver.postgis;

import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.PreparedReference;
import io.hereabouts.resolver.world.Tally;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;
import org.locationtech.jts.io.WKTReader;

/**
 * The pairs of a stage that the database does not decide: metres, collections of mixed types, lines that cross
 * themselves, and how lines and areas meet. They are decided here by the very test that the world in memory uses. Each
 * geometry crosses the wire once. For one thread.
 */
final class OpenPairs {

    private static final int FETCH = 500;
    private static final String GEOMETRIES = "SELECT id, ST_AsBinary(geom) FROM hereabouts.entity WHERE id = ANY (?)";

    private final Connection connection;
    private final Stage stage;
    private final Map<Integer, StageRows.Reference> references = new HashMap<>();
    private final Map<Integer, PreparedReference> prepared = new HashMap<>();
    /** By the candidate's id. */
    private final Map<String, List<StageRows.Pair>> pairs = new HashMap<>();

    OpenPairs(Connection connection, Stage stage, List<StageRows.Reference> references) {
        this.connection = connection;
        this.stage = stage;
        references.forEach(reference -> this.references.put(reference.ordinal(), reference));
    }

    /** Looks at the clock now and then. */
    interface Clock {
        void check() throws UnresolvableException;
    }

    /** The tally of a candidate, which all pairs but those here have gone into. */
    interface Tallies {
        Tally of(String candidate);

        boolean isSettled(Tally tally);
    }

    void add(StageRows.Pair pair) {
        pairs.computeIfAbsent(pair.id(), id -> new ArrayList<>()).add(pair);
    }

    /** Decides pairs until every tally is settled. */
    void decide(Tallies tallies, Clock clock) throws SQLException, UnresolvableException {
        pairs.keySet().removeIf(id -> tallies.isSettled(tallies.of(id)));
        List<String> elsewhere = new ArrayList<>();
        for (Map.Entry<String, List<StageRows.Pair>> open : pairs.entrySet()) {
            Geometry geometry = open.getValue().get(0).geometry();
            if (geometry == null) {
                elsewhere.add(open.getKey());
            } else {
                decide(open.getValue(), geometry, tallies, clock);
            }
        }
        if (!elsewhere.isEmpty()) {
            prepareReferences();
            geometries(
                    elsewhere,
                    (id, geometry) -> decide(Objects.requireNonNull(pairs.get(id)), geometry, tallies, clock));
        }
    }

    private void decide(List<StageRows.Pair> of, Geometry candidate, Tallies tallies, Clock clock)
            throws UnresolvableException {
        Tally tally = tallies.of(of.get(0).id());
        for (StageRows.Pair pair : of) {
            if (tallies.isSettled(tally)) {
                return;
            }
            clock.check();
            tally.add(reference(pair.reference()).satisfies(candidate, stage.where()));
        }
    }

    private PreparedReference reference(int ordinal) {
        return prepared.computeIfAbsent(ordinal, x -> {
            StageRows.Reference row = Objects.requireNonNull(references.get(ordinal), "reference " + ordinal);
            return new PreparedReference(
                    ordinal < 0 ? own(ordinal) : Objects.requireNonNull(row.geometry(), "geometry of " + row.id()));
        });
    }

    private Geometry own(int ordinal) {
        try {
            return new WKTReader().read(StageQuery.own(stage).get(-ordinal - 1));
        } catch (ParseException e) {
            throw new IllegalStateException("a descriptor's geometry is valid WKT", e);
        }
    }

    /** Fetches those entities that some open pair refers to. */
    private void prepareReferences() throws SQLException, UnresolvableException {
        Map<String, Integer> ordinals = new HashMap<>();
        for (List<StageRows.Pair> of : pairs.values()) {
            for (StageRows.Pair pair : of) {
                String id = pair.reference() < 0
                        ? null
                        : Objects.requireNonNull(references.get(pair.reference()))
                                .id();
                if (id != null) {
                    ordinals.put(id, pair.reference());
                }
            }
        }
        geometries(
                ordinals.keySet(),
                (id, geometry) ->
                        prepared.put(Objects.requireNonNull(ordinals.get(id)), new PreparedReference(geometry)));
    }

    /** What is done with a geometry. */
    private interface Use {
        void accept(String id, Geometry geometry) throws UnresolvableException;
    }

    private void geometries(Collection<String> ids, Use each) throws SQLException, UnresolvableException {
        try (PreparedStatement statement = connection.prepareStatement(GEOMETRIES)) {
            statement.setFetchSize(FETCH);
            statement.setArray(1, connection.createArrayOf("text", ids.toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    each.accept(rows.getString(1), geometry(rows.getBytes(2)));
                }
            }
        }
    }

    static Geometry geometry(byte[] wkb) {
        try {
            return new WKBReader().read(wkb);
        } catch (ParseException e) {
            throw new IllegalStateException("PostGIS sent a geometry that JTS cannot read", e);
        }
    }
}
