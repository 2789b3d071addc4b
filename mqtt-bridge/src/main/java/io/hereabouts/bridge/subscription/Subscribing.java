package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.Interest;

/**
 * One topic filter of a SUBSCRIBE on its way to becoming active. Made by {@link Subscriptions#begin}; owned by the same
 * thread.
 */
public final class Subscribing {

    /** Told exactly once; it must not call back. */
    public interface Outcome {
        /** All is ready: the broker may store the subscription; {@link Subscriptions#commit} follows before the SUBACK. */
        void ready();

        /** Nothing is left behind. */
        void refused(int reasonCode, String reason);
    }

    enum State {
        REQUESTED,
        STORING_ROW,
        READY,
        DONE
    }

    final Subscription wanted;
    final Interest interest;
    final long deadline;
    final long timeout;
    final Outcome outcome;
    State state = State.REQUESTED;

    Subscribing(Subscription wanted, Interest interest, long deadline, long timeout, Outcome outcome) {
        this.wanted = wanted;
        this.interest = interest;
        this.deadline = deadline;
        this.timeout = timeout;
        this.outcome = outcome;
    }

    /** Who subscribes. */
    public String client() {
        return wanted.client();
    }

    /** What it wants. */
    public Subscription wanted() {
        return wanted;
    }
}
