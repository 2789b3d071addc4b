package io.hereabouts.resolver.postgis;

import java.sql.SQLException;

/** The database refused a statement of ours for a reason that we do not know how to handle: a bug. */
final class UnexpectedSqlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnexpectedSqlException(SQLException cause) {
        super("SQLSTATE " + cause.getSQLState() + ": " + cause.getMessage(), cause);
    }
}
