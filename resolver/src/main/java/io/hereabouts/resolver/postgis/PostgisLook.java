package io.hereabouts.resolver.postgis;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Optional;
import org.flywaydb.core.api.FlywayException;

/**
 * How a database is, without changing anything in it.
 *
 * @param pending migrations that the next resolver to start will make
 * @param entity one of the world's, if it has any
 */
public record PostgisLook(int pending, Optional<PhysicalEntity> entity) {

    /**
     * Looks.
     *
     * @throws WorldUnavailableException if the database cannot be asked, or has no world yet
     */
    public static PostgisLook at(PostgisConnection target) throws WorldUnavailableException {
        try {
            int pending = Transactions.schema(target).info().pending().length;
            return new PostgisLook(pending, pending == 0 ? anEntity(target) : Optional.empty());
        } catch (FlywayException e) {
            throw new WorldUnavailableException("cannot ask " + target + ": " + e.getMessage(), e);
        } catch (StatementTimeoutException | UnresolvableException e) {
            throw new IllegalStateException("nothing was to be resolved, and nothing has a timeout", e);
        }
    }

    private static Optional<PhysicalEntity> anEntity(PostgisConnection target)
            throws WorldUnavailableException, StatementTimeoutException, UnresolvableException {
        try (Transactions transactions = Transactions.opened(target)) {
            return transactions.read(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(PostgisWorld.ENTITY + " LIMIT 1");
                        ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(PostgisWorld.entity(row)) : Optional.empty();
                }
            });
        }
    }
}
