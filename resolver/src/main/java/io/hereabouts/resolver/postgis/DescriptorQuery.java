package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Reference;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnknownReferences;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.locationtech.jts.geom.Envelope;
import org.postgresql.geometric.PGbox;

/**
 * Resolves one descriptor in one transaction: the database fills temporary tables stage by stage, {@link OpenPairs}
 * decides what it leaves open. For one thread.
 */
final class DescriptorQuery {

    private static final String RESOLVE_STAGE =
            "SELECT hereabouts.resolve_stage(?, ?::jsonb -> 'stages' -> ?, ?, ?, ?)";
    private static final String STAGE_IDS = "SELECT id FROM stage_candidate WHERE stage = ? AND is_in";

    private static final String REFERENCE_BOXES = "SELECT geom::box FROM stage_reference WHERE stage = ?";

    private static final String UNKNOWN = "SELECT named FROM unnest(?::text[]) named"
            + " WHERE NOT EXISTS (SELECT FROM hereabouts.entity e WHERE e.id = named COLLATE \"C\")";

    private final NeighborhoodDescriptor descriptor;
    private final UnknownReferences onUnknown;
    private final ResolutionLimits limits;
    private final long deadline;

    DescriptorQuery(NeighborhoodDescriptor descriptor, UnknownReferences onUnknown, ResolutionLimits limits) {
        this.descriptor = descriptor;
        this.onUnknown = onUnknown;
        this.limits = limits;
        this.deadline = System.nanoTime() + limits.maxTime().toNanos();
    }

    Resolution run(Connection connection) throws SQLException, UnresolvableException {
        limitTime(connection);
        long version = PostgisWorld.version(connection);
        List<EntityId> unknown = unknown(connection);
        if (onUnknown == UnknownReferences.REFUSE && !unknown.isEmpty()) {
            throw refusal(unknown);
        }
        String text = descriptor.canonicalText();
        List<List<EntityId>> stages = new ArrayList<>();
        List<Footprint.Reach> reaches = new ArrayList<>();
        for (int i = 0; i < descriptor.stages().size(); i++) {
            limitTime(connection);
            if (resolveStage(connection, text, i) > 0) {
                OpenPairs open =
                        new OpenPairs(connection, i, descriptor.stages().get(i));
                open.decide(this::checkTime);
            }
            stages.add(ids(connection, i));
            reaches.add(reach(connection, i));
        }
        Footprint footprint = new Footprint(Footprint.named(descriptor), reaches);
        Resolution resolution = Resolution.of(version, stages, descriptor.select(), unknown, footprint);
        if (resolution.selected().size() > limits.maxEntities()) {
            throw UnresolvableException.tooManyEntities(resolution.selected().size(), limits);
        }
        return resolution;
    }

    /** References that are no entities. */
    private List<EntityId> unknown(Connection connection) throws SQLException {
        Object[] named =
                Footprint.named(descriptor).stream().map(EntityId::value).toArray();
        List<EntityId> unknown = new ArrayList<>();
        if (named.length > 0) {
            try (PreparedStatement statement = connection.prepareStatement(UNKNOWN)) {
                statement.setArray(1, connection.createArrayOf("text", named));
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        unknown.add(EntityId.of(rows.getString(1)));
                    }
                }
            }
        }
        return unknown;
    }

    private UnresolvableException refusal(List<EntityId> unknown) {
        for (int i = 0; i < descriptor.stages().size(); i++) {
            for (Reference reference : descriptor.stages().get(i).references()) {
                if (reference instanceof Reference.ToEntity entity && unknown.contains(entity.id())) {
                    return UnresolvableException.unknownReference(i, entity.id());
                }
            }
        }
        throw new IllegalStateException("no stage names " + unknown);
    }

    /** How many candidates are left open. */
    private long resolveStage(Connection connection, String text, int index) throws SQLException {
        Stage stage = descriptor.stages().get(index);
        Locality locality = Locality.of(stage.where());
        try (PreparedStatement statement = connection.prepareStatement(RESOLVE_STAGE)) {
            statement.setInt(1, index);
            statement.setString(2, text);
            statement.setInt(3, index);
            statement.setBoolean(4, locality.bounded());
            statement.setDouble(5, locality.bounded() ? locality.metres() : 0);
            statement.setBoolean(6, locality.elsewhere());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private Footprint.Reach reach(Connection connection, int index) throws SQLException {
        Stage stage = descriptor.stages().get(index);
        Locality locality = Locality.of(stage.where());
        int references = 0;
        List<Envelope> near = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(REFERENCE_BOXES)) {
            statement.setInt(1, index);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    references++;
                    if (locality.bounded()) {
                        near.addAll(locality.near(Boxes.envelope(rows.getObject(1, PGbox.class))));
                    }
                }
            }
        }
        return Footprint.Reach.of(stage, references, near);
    }

    private static List<EntityId> ids(Connection connection, int stage) throws SQLException {
        List<EntityId> ids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(STAGE_IDS)) {
            statement.setInt(1, stage);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(EntityId.of(rows.getString(1)));
                }
            }
        }
        ids.sort(null);
        return ids;
    }

    private void limitTime(Connection connection) throws SQLException, UnresolvableException {
        checkTime();
        long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = " + left);
        }
    }

    private void checkTime() throws UnresolvableException {
        if (System.nanoTime() - deadline > 0) {
            throw UnresolvableException.tooSlow(limits);
        }
    }
}
