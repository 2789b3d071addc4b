package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.access.Audit;
import io.hereabouts.bridge.claim.Claim;
import io.hereabouts.bridge.claim.Claims;
import io.hereabouts.bridge.kafka.CompactedTable;
import io.hereabouts.schemas.avro.SessionClaim;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says in Kafka which sessions the edge has, and ends those that others have. Owned by the edge's thread. */
public final class ClaimOutput implements Claims.Output {

    private static final int NOT_AUTHORIZED = 0x87;
    private static final int SESSION_TAKEN_OVER = 0x8E;

    private final CompactedTable sessions;
    private final EdgeMetrics metrics;
    private final Audit audit;
    private final InstantSource clock;
    private @Nullable EdgeState state;
    private @Nullable DeliveryOutput output;

    public ClaimOutput(CompactedTable sessions, EdgeMetrics metrics, Audit audit, InstantSource clock) {
        this.clock = clock;
        this.audit = audit;
        this.sessions = sessions;
        this.metrics = metrics;
    }

    /** Whose sessions these are; before there are any. */
    public void endsIn(EdgeState edgeState, DeliveryOutput brokers) {
        this.state = edgeState;
        this.output = brokers;
    }

    @Override
    public void claim(String client, Claim claim) {
        sessions.put(
                0,
                Keys.session(client),
                Framing.encode(new SessionClaim(
                        claim.holder().edge(),
                        claim.holder().run(),
                        claim.connection(),
                        claim.user(),
                        claim.defends())),
                () -> {});
    }

    @Override
    public void withdraw(String client) {
        sessions.put(0, Keys.session(client), null, () -> {});
    }

    @Override
    public void withhold(String client) {
        sessions.forget(Keys.session(client));
    }

    /** What it has subscribed ends at once, whatever the broker still has to do. */
    @Override
    public void giveUp(String client, Claim mine, Claim to) {
        metrics.refused("connection", to.defends() ? "takeover" : "taken_over");
        if (to.defends()) {
            audit.denied(
                    "connection",
                    client,
                    Objects.requireNonNullElse(mine.user(), ""),
                    "",
                    "takeover",
                    "the client id belongs to another user on edge "
                            + to.holder().edge());
        }
        Objects.requireNonNull(state).sessionEnded(client, clock.millis());
        Broker broker = Objects.requireNonNull(output).broker();
        if (broker != null) {
            var unused = to.defends()
                    ? broker.endSession(client, NOT_AUTHORIZED, "the client id belongs to another user")
                    : broker.endSession(
                            client,
                            SESSION_TAKEN_OVER,
                            "the client has connected to edge " + to.holder().edge());
        }
    }
}
