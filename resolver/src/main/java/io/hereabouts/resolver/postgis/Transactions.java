package io.hereabouts.resolver.postgis;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Runs work in transactions on pooled connections, and again where that can help. Work must therefore have no effect but
 * in the database. Thread-safe.
 */
final class Transactions implements AutoCloseable {

    private static final int CONFLICT_ATTEMPTS = 5;

    private final PostgisConnection target;
    private final HikariDataSource pool;

    private Transactions(PostgisConnection target, HikariDataSource pool) {
        this.target = target;
        this.pool = pool;
    }

    /** Migrates the schema, then opens the pool. */
    static Transactions open(PostgisConnection target) throws WorldUnavailableException {
        try {
            schema(target).migrate();
        } catch (FlywayException e) {
            throw new WorldUnavailableException("cannot prepare the schema in " + target + ": " + e.getMessage(), e);
        }
        return opened(target);
    }

    /** The schema as it should be. */
    static Flyway schema(PostgisConnection target) {
        return Flyway.configure()
                .dataSource(target.url(), target.user(), target.password())
                .locations("classpath:io/hereabouts/resolver/postgis/migration")
                .schemas("hereabouts")
                .placeholderReplacement(false)
                .connectRetries(0)
                .load();
    }

    /** Opens the pool on a schema that is as it should be. */
    static Transactions opened(PostgisConnection target) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(target.url());
        config.setUsername(target.user());
        config.setPassword(target.password());
        config.setMaximumPoolSize(target.connections());
        config.setConnectionTimeout(target.connectTimeout().toMillis());
        config.setValidationTimeout(Math.min(1000, target.connectTimeout().toMillis()));
        config.setAutoCommit(false);
        // what nearly all of them are for: setting it each time would be a round trip each time
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        config.setIsolateInternalQueries(true);
        config.setPoolName("hereabouts-world");
        config.setInitializationFailTimeout(-1);
        config.setDataSourceProperties(properties(target));
        return new Transactions(target, new HikariDataSource(config));
    }

    /** How all connections to the database are made. */
    static Properties properties(PostgisConnection target) {
        Properties properties = new Properties();
        properties.setProperty(
                "connectTimeout",
                Long.toString(Math.max(1, target.connectTimeout().toSeconds())));
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("ApplicationName", "hereabouts");
        // resolutions are short: compiling them takes longer than running them
        properties.setProperty("options", "-c jit=off");
        return properties;
    }

    private enum Mode {
        READ,
        READ_ONCE,
        WRITE
    }

    /** What is done in a transaction. */
    interface Work<T> {
        T run(Connection connection) throws SQLException, UnresolvableException;
    }

    /** Reads in one snapshot. */
    <T> T read(Work<T> work) throws WorldUnavailableException, UnresolvableException, StatementTimeoutException {
        return run(work, Mode.READ);
    }

    /** Reads by a single statement, which is a snapshot by itself: it spares the round trip that ends a transaction. */
    <T> T readOnce(Work<T> work) throws WorldUnavailableException, UnresolvableException, StatementTimeoutException {
        return run(work, Mode.READ_ONCE);
    }

    /**
     * Writes and commits. If the connection is lost the work is done again, so that work whose first commit did get
     * through is done twice: it must not mind.
     */
    <T> T write(Work<T> work) throws WorldUnavailableException, UnresolvableException, StatementTimeoutException {
        return run(work, Mode.WRITE);
    }

    private <T> T run(Work<T> work, Mode mode)
            throws WorldUnavailableException, UnresolvableException, StatementTimeoutException {
        int conflicts = 0;
        int lost = 0;
        while (true) {
            try {
                return attempt(work, mode);
            } catch (SQLException e) {
                switch (SqlState.of(e)) {
                    case CONFLICT -> {
                        if (++conflicts == CONFLICT_ATTEMPTS) {
                            throw unavailable("conflicts with other writers", e);
                        }
                    }
                    case CONNECTION_LOST -> {
                        // every pooled connection may be from before a restart
                        if (++lost > target.connections()) {
                            throw unavailable("connection lost", e);
                        }
                    }
                    case UNAVAILABLE -> throw unavailable("no connection", e);
                    case TIMED_OUT -> throw new StatementTimeoutException(e);
                    default -> throw hopeless(e);
                }
            }
        }
    }

    private RuntimeException hopeless(SQLException e) throws WorldUnavailableException {
        if (pool.isClosed() || e.getCause() instanceof InterruptedException) {
            throw unavailable("interrupted", e);
        }
        return new UnexpectedSqlException(e);
    }

    private <T> T attempt(Work<T> work, Mode mode) throws SQLException, UnresolvableException {
        try (Connection connection = pool.getConnection()) {
            try {
                connection.setReadOnly(mode != Mode.WRITE);
                connection.setAutoCommit(mode == Mode.READ_ONCE);
                if (mode == Mode.WRITE) {
                    // a writer that waited for another one must see what that one wrote
                    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
                }
                T result = work.run(connection);
                if (mode != Mode.READ_ONCE) {
                    connection.commit();
                }
                return result;
            } catch (SQLException | UnresolvableException | RuntimeException e) {
                rollBack(connection, e);
                throw e;
            }
        }
    }

    private static void rollBack(Connection connection, Exception cause) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private WorldUnavailableException unavailable(String what, SQLException e) {
        String why = pool.isClosed() ? "closed" : what;
        return new WorldUnavailableException(
                "world in " + target + " is unavailable, " + why + ": " + e.getMessage(), e);
    }

    @Override
    public void close() {
        pool.close();
    }
}
