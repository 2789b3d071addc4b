package io.hereabouts.bridge.access;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whose the sessions are: a client id belongs to the user that has a connection or a session with it. Thread-safe; whether
 * there still is a session is the caller's to say.
 */
public final class Owners {

    /**
     * Who has a client id.
     *
     * @param connection its last connection
     * @param connected whether that one is open
     */
    public record Owner(Optional<String> user, Rights rights, long connection, boolean connected) {}

    private final Map<String, Owner> owners = new ConcurrentHashMap<>();

    /** The owner so far, if there is one. */
    public Optional<Owner> of(String client) {
        return Optional.ofNullable(owners.get(client));
    }

    /**
     * A user takes a client id.
     *
     * @param known the owner that the caller has looked at
     * @return false if there is another by now: look again
     */
    public boolean claim(String client, Optional<Owner> known, Owner next) {
        return known.isPresent() ? owners.replace(client, known.get(), next) : owners.putIfAbsent(client, next) == null;
    }

    /** A connection has ended, and its session with it or not. */
    public void disconnected(String client, long connection, boolean sessionEnds) {
        owners.computeIfPresent(
                client,
                (id, owner) -> owner.connection() != connection
                        ? owner
                        : sessionEnds ? null : new Owner(owner.user(), owner.rights(), connection, false));
    }

    /** There is no session with this client id any more. */
    public void forget(String client, Owner owner) {
        owners.remove(client, owner);
    }

    /** Client ids that nobody is connected with. */
    public Set<String> offline() {
        Set<String> offline = ConcurrentHashMap.newKeySet();
        owners.forEach((client, owner) -> {
            if (!owner.connected()) {
                offline.add(client);
            }
        });
        return offline;
    }
}
