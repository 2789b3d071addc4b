package io.hereabouts.resolver.postgis;

import java.sql.SQLException;

/** A statement ran into the timeout that we set ourselves. */
final class StatementTimeoutException extends Exception {

    private static final long serialVersionUID = 1L;

    StatementTimeoutException(SQLException cause) {
        super(cause);
    }
}
