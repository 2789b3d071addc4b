package io.hereabouts.resolver.postgis;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/**
 * What a failure of the database means to us, by its SQLSTATE (PostgreSQL manual, appendix A). Anything that is not
 * listed is a bug of ours. No state.
 */
enum SqlState {
    /** The transaction lost against another one: begin it again. */
    CONFLICT,
    /** The connection is gone, the server may be back on the next one: begin again on another. */
    CONNECTION_LOST,
    /** There is no connection to be had, or the server cannot work: nothing to be done from here. */
    UNAVAILABLE,
    /** Our own statement timeout. */
    TIMED_OUT,
    /** Anything else. */
    BUG;

    /** serialization_failure, deadlock_detected. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01");
    /** connection_exception, connection_does_not_exist, connection_failure, admin_shutdown, crash_shutdown, and
     *  cannot_connect_now: a server that is starting up. */
    private static final Set<String> LOST = Set.of("08000", "08003", "08006", "57P01", "57P02", "57P03");
    /** sqlclient_unable_to_establish_sqlconnection, server_rejected_connection, too_many_connections, out_of_memory,
     *  disk_full, read_only_sql_transaction (a standby), invalid_password, invalid_authorization, invalid_catalog_name. */
    private static final Set<String> UNABLE =
            Set.of("08001", "08004", "53300", "53200", "53100", "25006", "28P01", "28000", "3D000");

    static SqlState of(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        if (e instanceof SQLTransientConnectionException) {
            return UNAVAILABLE;
        }
        if (CONFLICTS.contains(state)) {
            return CONFLICT;
        }
        if (LOST.contains(state)) {
            return CONNECTION_LOST;
        }
        if (UNABLE.contains(state)) {
            return UNAVAILABLE;
        }
        return state.equals("57014") ? TIMED_OUT : BUG;
    }
}
