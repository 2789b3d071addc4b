package io.hereabouts.resolver.postgis;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears that the world has a new version. It does so on a connection of its own, which the first wait opens: one of the
 * pool would be missing there for as long as somebody waits. What it hears is only ever a reason to look early: a
 * notification that is lost with a connection costs time and nothing else.
 *
 * <p>Thread-safe. One thread listens; others that wait meanwhile wake when it does.
 */
final class VersionListener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(VersionListener.class);

    private final PostgisConnection target;
    private final ReentrantLock listening = new ReentrantLock(true);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection connection;
    private boolean deaf;

    VersionListener(PostgisConnection target) {
        this.target = target;
    }

    /** Returns when there is, or may be, a new version; after so many nanoseconds in any case. */
    void await(long nanos) throws InterruptedException {
        if (listening.tryLock()) {
            try {
                listen(nanos);
            } finally {
                listening.unlock();
            }
        } else if (listening.tryLock(nanos, TimeUnit.NANOSECONDS)) {
            listening.unlock();
        }
    }

    private void listen(long nanos) throws InterruptedException {
        try {
            Connection current = connection;
            if (current == null) {
                connect();
            } else if (!hears(current, nanos) && !current.isValid(1)) {
                disconnect();
            }
        } catch (SQLException e) {
            if (!deaf && !isClosed()) {
                LOG.info("cannot listen to {}, looking once a second: {}", target, e.getMessage());
                deaf = true;
            }
            disconnect();
            closed.await(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private static boolean hears(Connection current, long nanos) throws SQLException {
        int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
        PGNotification[] heard = current.unwrap(PGConnection.class).getNotifications(millis);
        return heard != null && heard.length > 0;
    }

    /** Does not wait for anything to be heard: what was committed before may have been missed. */
    private void connect() throws SQLException {
        Properties properties = Transactions.properties(target);
        properties.setProperty("user", target.user());
        properties.setProperty("password", target.password());
        Connection made = DriverManager.getConnection(target.url(), properties);
        connection = made;
        try (Statement statement = made.createStatement()) {
            statement.execute("LISTEN hereabouts_world");
        }
        deaf = false;
        if (isClosed()) {
            disconnect();
        }
    }

    private void disconnect() {
        Connection old = connection;
        connection = null;
        if (old != null) {
            try {
                old.abort(Runnable::run);
            } catch (SQLException e) {
                LOG.debug("connection to {} is gone already", target, e);
            }
        }
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Wakes who waits. */
    @Override
    public void close() {
        closed.countDown();
        disconnect();
    }
}
