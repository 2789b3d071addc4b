package io.hereabouts.perf.ledger;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.testkit.postgis.PostgisMissingException;
import java.util.concurrent.TimeUnit;

/** Lets the faults of a schedule happen to a stack, and undoes them. No state. */
final class Chaos {

    private Chaos() {}

    /**
     * Does it and undoes it.
     *
     * @param beforeKill called just before a process is gone with all that it knows
     */
    static void happen(Step step, LedgerStack stack, Look beforeKill)
            throws MeasurementException, InterruptedException {
        Node node = stack.node(step.part());
        switch (step.fault()) {
            case EDGE, ROUTER, RESOLVER, KAFKA -> {
                beforeKill.now();
                node.kill();
                TimeUnit.SECONDS.sleep(step.seconds());
                node.start();
            }
            case STALL -> {
                node.stall();
                try {
                    TimeUnit.SECONDS.sleep(step.seconds());
                } finally {
                    node.wake();
                }
            }
            case OUTAGE -> {
                node.stop();
                TimeUnit.SECONDS.sleep(step.seconds());
                node.start();
            }
            case POSTGIS -> {
                stack.postgis().stop();
                TimeUnit.SECONDS.sleep(step.seconds());
                try {
                    stack.postgis().startAgain();
                } catch (PostgisMissingException e) {
                    throw new MeasurementException("PostGIS", e);
                }
            }
            case CUT -> {
                stack.line(step.part().index()).cut();
                TimeUnit.SECONDS.sleep(step.seconds());
                stack.line(step.part().index()).mend();
            }
        }
    }

    /** Looks at counters. */
    @FunctionalInterface
    interface Look {
        void now() throws InterruptedException;
    }
}
