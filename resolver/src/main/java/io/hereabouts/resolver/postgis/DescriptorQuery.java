package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.model.neighborhood.Stage;
import io.hereabouts.resolver.world.Locality;
import io.hereabouts.resolver.world.Resolution;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnresolvableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * Resolves one descriptor in one transaction: the database fills temporary tables stage by stage, {@link OpenPairs}
 * decides what it leaves open. For one thread.
 */
final class DescriptorQuery {

    private static final String RESOLVE_STAGE =
            "SELECT hereabouts.resolve_stage(?, ?::jsonb -> 'stages' -> ?, ?, ?, ?)";
    private static final String STAGE_IDS = "SELECT id FROM stage_candidate WHERE stage = ? AND is_in";

    private final NeighborhoodDescriptor descriptor;
    private final ResolutionLimits limits;
    private final long deadline;

    DescriptorQuery(NeighborhoodDescriptor descriptor, ResolutionLimits limits) {
        this.descriptor = descriptor;
        this.limits = limits;
        this.deadline = System.nanoTime() + limits.maxTime().toNanos();
    }

    Resolution run(Connection connection) throws SQLException, UnresolvableException {
        limitTime(connection);
        long version = PostgisWorld.version(connection);
        String text = descriptor.canonicalText();
        List<List<EntityId>> stages = new ArrayList<>();
        for (int i = 0; i < descriptor.stages().size(); i++) {
            limitTime(connection);
            if (resolveStage(connection, text, i) > 0) {
                OpenPairs open =
                        new OpenPairs(connection, i, descriptor.stages().get(i));
                open.decide(this::checkTime);
            }
            stages.add(ids(connection, i));
        }
        Resolution resolution = Resolution.of(version, stages, descriptor.select());
        if (resolution.selected().size() > limits.maxEntities()) {
            throw UnresolvableException.tooManyEntities(resolution.selected().size(), limits);
        }
        return resolution;
    }

    /** How many candidates are left open. */
    private long resolveStage(Connection connection, String text, int index)
            throws SQLException, UnresolvableException {
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
        } catch (PSQLException e) {
            ServerErrorMessage message = e.getServerErrorMessage();
            if (SqlState.of(e) == SqlState.UNKNOWN_REFERENCE && message != null && message.getDetail() != null) {
                throw UnresolvableException.unknownReference(index, EntityId.of(message.getDetail()));
            }
            throw e;
        }
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
