package io.hereabouts.cli;

import io.hereabouts.replay.mqtt.Reasons;
import java.util.Locale;

/**
 * One thing that was looked at.
 *
 * @param name what it was
 * @param detail a figure if it is fine, else what is wrong and what to do
 * @param millis how long it took
 */
record Check(String name, State state, String detail, long millis) {

    /** How it was found. */
    enum State {
        OK,
        FAILED,
        SKIPPED;

        @Override
        public String toString() {
            return this == FAILED ? "FAILED" : name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is looked at; what it throws is what is wrong. */
    interface Look {
        /** A figure. */
        String look() throws Exception;
    }

    /** Looks now. */
    static Check of(String name, Look look) throws InterruptedException {
        long begin = System.nanoTime();
        State state;
        String detail;
        try {
            detail = look.look();
            state = State.OK;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            detail = Reasons.of(e);
            state = State.FAILED;
        }
        return new Check(name, state, detail, (System.nanoTime() - begin) / 1_000_000);
    }

    /** Something else must be put right first, or there is nothing to look at. */
    static Check skipped(String name, String why) {
        return new Check(name, State.SKIPPED, why, 0);
    }

    boolean isOk() {
        return state == State.OK;
    }

    @Override
    public String toString() {
        return String.format("%-8s %-12s %s", state, name, detail);
    }
}
