package io.hereabouts.bridge.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of this edge's clients among those of all edges. Each CONNECT is claimed in a Kafka topic whose order
 * decides: the last claim of a client id has the session, and an edge that reads another's behind its own gives its own up
 * (MQTT 5 §3.1.4, across edges). A claim that this edge has made and not read yet comes behind all that it reads. No
 * clocks are compared, and nothing waits for Kafka: what is claimed while it is away is in the topic later, and later in
 * its order.
 *
 * <p>Where a client id belongs to its user, the user who had it first keeps it: its edge says its claim again, and the
 * other gives way to that. Knows only the clients that this edge has, one entry each. Time is milliseconds since any
 * point. Owned by the edge's thread.
 */
public final class Claims {

    /** What follows from the order of claims; called on the thread that calls. */
    public interface Output {
        /** The topic is to say this about the client. */
        void claim(String client, Claim claim);

        /** The topic is to say nothing about the client. */
        void withdraw(String client);

        /** What is not in the topic yet is not to be said any more. */
        void withhold(String client);

        /** This edge's session of the client has ended: another edge has it. */
        void giveUp(String client, Claim mine, Claim to);
    }

    /** Of a session that was there before the edge started; connections count from 1. */
    private static final long NO_CONNECTION = 0;

    private static final class Own {
        final Claim claim;
        /** Whether it was read in the topic. */
        boolean placed;
        /** When the session ends; null while its client is connected. */
        @Nullable
        Long ends;

        Own(Claim claim) {
            this.claim = claim;
        }

        boolean isAway() {
            return ends != null || claim.connection() == NO_CONNECTION;
        }
    }

    private final Claim.Holder holder;
    private final Output output;
    private final Map<String, Own> own = new HashMap<>();

    public Claims(Claim.Holder holder, Output output) {
        this.holder = holder;
        this.output = output;
    }

    /**
     * The edge has started, and these clients have sessions from before: it claims those that no other edge has, and those of
     * other clients no more. Before a client connects.
     */
    public void restored(Collection<String> clients, EarlierClaims earlier) {
        Set<String> others = new HashSet<>(earlier.ofThisEdge());
        for (String client : clients) {
            others.remove(client);
            if (!earlier.isElsewhere(client)) {
                claim(client, new Claim(holder, NO_CONNECTION, earlier.user(client), false));
            }
        }
        others.forEach(output::withdraw);
    }

    /** Clients with a session whose client is away. */
    public List<String> away() {
        return own.entrySet().stream()
                .filter(claimed -> claimed.getValue().isAway())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** A session has ended whose client is away. */
    public void sessionEnded(String client) {
        Own ended = own.get(client);
        if (ended != null && ended.isAway()) {
            end(client);
        }
    }

    /** @param user whose the client id is; null: whoever comes may have it */
    public void connected(String client, long connection, @Nullable String user) {
        claim(client, new Claim(holder, connection, user, false));
    }

    private void claim(String client, Claim claim) {
        Own before = own.get(client);
        Own now = new Own(claim);
        if (before != null && before.claim.connection() == claim.connection()) {
            now.ends = before.ends;
        }
        own.put(client, now);
        output.claim(client, claim);
    }

    /** @param sessionExpirySeconds how long the session lasts from now on */
    public void disconnected(String client, long connection, long sessionExpirySeconds, long now) {
        Own ended = own.get(client);
        if (ended == null || ended.claim.connection() != connection) {
            return;
        }
        if (sessionExpirySeconds == 0) {
            end(client);
        } else {
            ended.ends = now + sessionExpirySeconds * 1_000;
        }
    }

    /** Ends the claims of sessions that have expired. */
    public void tick(long now) {
        List<String> expired = new ArrayList<>();
        own.forEach((client, claim) -> {
            if (claim.ends != null && claim.ends <= now) {
                expired.add(client);
            }
        });
        expired.forEach(this::end);
    }

    private void end(String client) {
        own.remove(client);
        output.withdraw(client);
    }

    /**
     * The next record of the topic.
     *
     * @param said null if it says that nobody has the session
     */
    public void read(String client, @Nullable Claim said) {
        Own mine = own.get(client);
        if (mine == null) {
            return;
        }
        if (said != null && said.holder().equals(holder)) {
            mine.placed |= said.equals(mine.claim);
        } else if (mine.placed) {
            contested(client, mine, said);
        }
    }

    private void contested(String client, Own mine, @Nullable Claim said) {
        Claim claim = mine.claim;
        if (said == null || (said.connection() == NO_CONNECTION && claim.connection() != NO_CONNECTION)) {
            // whoever had it before did not know of this one yet
            claim(client, claim);
        } else if (said.isOfAnotherUserThan(claim.user()) && !said.defends()) {
            claim(client, new Claim(holder, claim.connection(), claim.user(), true));
        } else {
            own.remove(client);
            output.withhold(client);
            output.giveUp(client, claim, said);
        }
    }

    /** How many clients this edge claims. */
    public int size() {
        return own.size();
    }

    /** The edge stops, and with it all sessions. */
    public void end() {
        List.copyOf(own.keySet()).forEach(this::end);
    }

    /** Somebody else has this edge's id: nothing is claimed any more. */
    public void abandon() {
        own.clear();
    }
}
