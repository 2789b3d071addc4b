package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.Condition;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;
import org.postgresql.geometric.PGbox;

/**
 * Asks the database for all that it knows of one stage, in one round trip. Its text depends on the kind of stage only, so
 * that the driver prepares it on the server when it is asked again. For one thread.
 *
 * <p>A pair of candidate and reference has a value that is assumed of all pairs that are apart, see {@link Locality}.
 * Only the pairs that have another one, or are left open, come back.
 */
final class StageQuery {

    private static final String ENTITIES = "SELECT (row_number() OVER ())::integer AS ordinal, e.id, e.geom,"
            + " e.undecided, e.puntal FROM hereabouts.entity e WHERE e.id = ANY (?)"
            + " UNION ALL SELECT -own.ordinal::integer, NULL, own_geom, hereabouts.is_undecided(own_geom),"
            + " ST_Dimension(own_geom) = 0"
            + " FROM unnest(?::text[]) WITH ORDINALITY AS own (wkt, ordinal), ST_GeomFromText(own.wkt, 4326) own_geom";
    // of one reference, the planner knows without its value all there is to know
    private static final String ENTITY =
            "SELECT 1 AS ordinal, e.id, e.geom, e.undecided, e.puntal FROM hereabouts.entity e WHERE e.id = ?";
    private static final String OWN = "SELECT -1 AS ordinal, NULL::text AS id, own_geom AS geom,"
            + " hereabouts.is_undecided(own_geom) AS undecided, ST_Dimension(own_geom) = 0 AS puntal"
            + " FROM ST_GeomFromText(?, 4326) own_geom";
    // The spatial index proposes, and never the one of categories: a plan for whatever category thinks that it is rare,
    // and reads all of a large one for each reference. For one reference after the other, so that no plan looks at all
    // pairs.
    private static final String NEAR = " CROSS JOIN LATERAL (SELECT id, geom, undecided, puntal FROM hereabouts.entity"
            + " WHERE geom %s AND (selectors && ?) IS TRUE OFFSET 0) c";
    private static final String ALL =
            " CROSS JOIN (SELECT id, geom, undecided, puntal FROM hereabouts.entity WHERE selectors && ?) c";
    private static final String CATEGORY =
            " UNION ALL SELECT 3, NULL, c.id, NULL, NULL, NULL FROM hereabouts.entity c WHERE c.selectors && ?";

    private final Stage stage;
    private final Locality locality;
    private final Set<String> referenceIds;
    private final List<String> own;
    /** What holds of pairs that are apart, or of all that do not come back. */
    private final boolean assumed;
    /** If there is one reference, no geometry can be wanted twice, so they come along. */
    private final boolean single;

    private final boolean withCategory;

    /** @param referenceIds of the entities that the stage names or takes from earlier ones */
    StageQuery(Stage stage, Collection<String> referenceIds) {
        this.stage = stage;
        this.locality = Locality.of(stage.where());
        this.referenceIds = Set.copyOf(referenceIds);
        this.own = own(stage);
        this.assumed = locality.bounded() && locality.elsewhere();
        this.single = referenceIds.size() + own.size() == 1;
        this.withCategory = new Tally().isIn(stage.match(), 1, assumed);
    }

    /** The geometries that the descriptor brings along, as WKT. */
    static List<String> own(Stage stage) {
        return stage.references().stream()
                .filter(Reference.ToGeometry.class::isInstance)
                .map(reference -> ((Reference.ToGeometry) reference).wkt())
                .toList();
    }

    boolean assumed() {
        return assumed;
    }

    /** @param millis after which the database gives up, on this statement and on further ones of the transaction */
    StageRows run(Connection connection, long millis) throws SQLException {
        StageRows found = new StageRows();
        try (PreparedStatement statement = connection.prepareStatement(sql())) {
            int at = 1;
            statement.setString(at++, Long.toString(millis));
            if (single) {
                statement.setString(
                        at++, own.isEmpty() ? referenceIds.iterator().next() : own.get(0));
            } else {
                statement.setArray(at++, connection.createArrayOf("text", referenceIds.toArray()));
                statement.setArray(at++, connection.createArrayOf("text", own.toArray()));
            }
            if (byMetres()) {
                statement.setDouble(at++, locality.metres());
            }
            Object[] categories =
                    stage.categories().stream().map(Category::path).toArray();
            statement.setArray(at++, connection.createArrayOf("text", categories));
            if (withCategory) {
                statement.setArray(at, connection.createArrayOf("text", categories));
            }
            statement.execute();
            statement.getMoreResults();
            try (ResultSet rows = statement.getResultSet()) {
                read(rows, found);
            }
        }
        return found;
    }

    private boolean byMetres() {
        return locality.bounded() && locality.metres() > 0;
    }

    private String sql() {
        String predicate = PairPredicate.of(stage.where());
        String boundary = predicate.contains("r.boundary")
                ? ", CASE WHEN ST_Dimension(geom) = 2 AND NOT undecided THEN ST_Boundary(geom) END AS boundary"
                : "";
        return "SELECT set_config('statement_timeout', ?, true); "
                + "WITH reference AS MATERIALIZED (SELECT *" + boundary
                + " FROM (" + collected() + ") collected)"
                + " SELECT 0, NULL::integer, version::text, NULL::boolean, NULL::bytea, NULL::box FROM hereabouts.world"
                + " UNION ALL SELECT 1, ordinal, id, NULL, " + (single ? "ST_AsBinary(geom)" : "NULL")
                + ", geom::box FROM reference"
                + " UNION ALL SELECT 2, ordinal, id, holds, "
                + (single ? "CASE WHEN holds IS NULL THEN ST_AsBinary(geom) END" : "NULL") + ", NULL"
                // the fence keeps the condition from being computed for the output and once more for the filter
                + " FROM (SELECT r.ordinal, c.id, c.geom, " + predicate + " AS holds FROM reference r" + candidates()
                + " OFFSET 0) pair WHERE holds IS DISTINCT FROM " + assumed
                + (withCategory ? CATEGORY : "");
    }

    private String collected() {
        if (!single) {
            return ENTITIES;
        }
        return own.isEmpty() ? ENTITY : OWN;
    }

    private String candidates() {
        if (!locality.bounded()) {
            return ALL;
        }
        return byMetres()
                ? " CROSS JOIN LATERAL hereabouts.near_boxes(r.geom, ?) box" + NEAR.formatted("&& box")
                : NEAR.formatted(boxes() + " r.geom");
    }

    /** How the box of a candidate meets that of a reference if the condition can hold: what is within has its box within. */
    private String boxes() {
        if (!(stage.where() instanceof Condition.Related related)) {
            return "&&";
        }
        return switch (related.relation()) {
            case WITHIN, COVERED_BY -> "@";
            case CONTAINS, COVERS -> "~";
            default -> "&&";
        };
    }

    /** A pair that the index has proposed. */
    private record Proposed(int reference, String candidate) {}

    private void read(ResultSet rows, StageRows found) throws SQLException {
        // a reference at the antimeridian has two boxes, and what reaches over both is near it twice
        Set<Proposed> seen = new HashSet<>();
        while (rows.next()) {
            String text = rows.getString(3);
            switch (rows.getInt(1)) {
                case 0 -> found.worldVersion = Long.parseLong(text);
                case 1 ->
                    found.references.add(new StageRows.Reference(
                            rows.getInt(2),
                            text,
                            Boxes.envelope(Objects.requireNonNull(rows.getObject(6, PGbox.class))),
                            geometry(rows)));
                case 2 -> {
                    int reference = rows.getInt(2);
                    if (!byMetres() || seen.add(new Proposed(reference, text))) {
                        boolean holds = rows.getBoolean(4);
                        found.pairs.add(
                                new StageRows.Pair(reference, text, rows.wasNull() ? null : holds, geometry(rows)));
                    }
                }
                default -> found.category.add(text);
            }
        }
    }

    private static @Nullable Geometry geometry(ResultSet row) throws SQLException {
        byte[] wkb = row.getBytes(5);
        return wkb == null ? null : OpenPairs.geometry(wkb);
    }
}
