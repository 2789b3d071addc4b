package io.hereabouts.perf.ledger;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param at second at which it is due, counted from the first publication; later if an earlier one takes longer
 * @param part whom it hits; of {@link Fault#CUT} the edge, of {@link Fault#POSTGIS} the resolver that asks it
 * @param seconds that it lasts
 */
record Step(int number, int at, Fault fault, Part part, int seconds) {

    /** A process of the stack. */
    record Part(Kind kind, int index) {
        @Override
        public String toString() {
            return kind == Kind.EDGE || kind == Kind.ROUTER ? kind + "-" + index : kind.toString();
        }
    }

    /** What a process is. */
    enum Kind {
        EDGE,
        ROUTER,
        RESOLVER,
        KAFKA;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Without when. */
    String what() {
        String what =
                switch (fault) {
                    case EDGE, ROUTER, RESOLVER, KAFKA -> "SIGKILL " + part + ", started again";
                    case STALL -> "SIGSTOP " + part + ", SIGCONT";
                    case OUTAGE -> part + " stopped, started again";
                    case POSTGIS -> "PostGIS stopped, started again";
                    case CUT -> "clients of " + part + " cut off, mended";
                };
        return what + " after " + seconds + " s";
    }

    @Override
    public String toString() {
        return "%2d  %4d s  %-8s  %s".formatted(number, at, fault, what());
    }
}
