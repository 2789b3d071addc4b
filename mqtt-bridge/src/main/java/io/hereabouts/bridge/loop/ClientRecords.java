package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.claim.Claims;
import io.hereabouts.bridge.kafka.CompactedTable;
import io.hereabouts.bridge.kafka.WillEffects;
import io.hereabouts.bridge.will.Wills;

/**
 * What the edge keeps in Kafka of its clients besides their subscriptions: their wills, and that it has their sessions.
 * Owned by the edge's thread.
 */
public record ClientRecords(Wills wills, WillEffects willEffects, Claims claims, CompactedTable sessions) {

    /** Does what is due. */
    void tick(long now) {
        wills.tick(now);
    }

    /** Sends again what Kafka did not take, and finds what has expired. */
    void retry(long now) {
        claims.tick(now);
        willEffects.retry();
        sessions.retry();
    }

    /**
     * The edge stops.
     *
     * @param keepsSessions whether the sessions that it has outlive it
     */
    void end(boolean keepsSessions) {
        wills.end();
        if (!keepsSessions) {
            claims.end();
        }
    }

    /** Somebody else has the edge's id, or has removed the edge: nothing is said in its name any more. */
    public void abandon() {
        wills.abandon();
        willEffects.abandon();
        claims.abandon();
    }

    /** True if Kafka has the last word. */
    boolean areStored() {
        return willEffects.unsettled() == 0 && sessions.unstored() == 0;
    }
}
