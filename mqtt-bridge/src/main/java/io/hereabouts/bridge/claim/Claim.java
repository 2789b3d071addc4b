package io.hereabouts.bridge.claim;

import org.jspecify.annotations.Nullable;

/**
 * An edge says that it has a connection of a client.
 *
 * @param holder edge and run of the edge
 * @param connection number of the connection in that run
 * @param user whose the client id is; null: whoever comes may have it
 * @param defends said again to a claim of another user, which has to give way
 */
public record Claim(Holder holder, long connection, @Nullable String user, boolean defends) {

    /**
     * A process that claims.
     *
     * @param run names it among all that have or had the edge's id
     */
    public record Holder(String edge, String run) {}

    boolean isOfAnotherUserThan(@Nullable String other) {
        return user != null && other != null && !user.equals(other);
    }
}
