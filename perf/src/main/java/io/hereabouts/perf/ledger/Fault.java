package io.hereabouts.perf.ledger;

import java.util.Locale;
import java.util.Random;

/** What can happen to a stack. */
public enum Fault {
    /** SIGKILL to an edge, which is started again after some seconds. */
    EDGE(0, 5, 20),
    /** SIGKILL to a router, which is replaced. */
    ROUTER(0, 8, 20),
    /** SIGKILL to the resolver, which is replaced. */
    RESOLVER(0, 5, 15),
    /** SIGKILL to the broker, which is started again. */
    KAFKA(0, 5, 25),
    /** SIGSTOP to any of the above, SIGCONT later. */
    STALL(8, 15, 25),
    /** The broker is stopped for a minute. */
    OUTAGE(60, 60, 40),
    /** PostgreSQL is stopped at once; the world is in PostGIS then. */
    POSTGIS(8, 15, 15),
    /** The connections between an edge and its clients end, and no new ones can be made. */
    CUT(2, 6, 12);

    private final int shortest;
    private final int longest;
    private final int aftermath;

    Fault(int shortest, int longest, int aftermath) {
        this.shortest = shortest;
        this.longest = longest;
        this.aftermath = aftermath;
    }

    /** Seconds that it lasts, drawn by lot. */
    int seconds(Random random) {
        return random.nextInt(shortest, longest + 1);
    }

    /** Seconds that are planned for everything else: a start, and until nothing is late any more. */
    int aftermath() {
        return aftermath;
    }

    /** Whether what was on its way to somebody may be gone with a process, its counters too. */
    boolean killsCounters() {
        return this == EDGE || this == ROUTER || this == KAFKA;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
