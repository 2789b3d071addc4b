package io.hereabouts.perf.ledger;

import io.hereabouts.perf.ledger.Step.Kind;
import io.hereabouts.perf.ledger.Step.Part;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What happens when to whom: a pure function of a seed. */
final class Schedule {

    /** Between one fault, its books closed, and the next. */
    private static final int SHORTEST_CALM = 4;

    private static final int LONGEST_CALM = 8;
    private static final List<Kind> KINDS = List.of(Kind.values());

    private Schedule() {}

    /**
     * All faults in turn, each turn in another order, as long as there is time. The first turn has its first fault in any case.
     *
     * @param faults not empty
     * @param seconds that all of it may take
     */
    static List<Step> of(long seed, List<Fault> faults, int edges, int routers, int seconds) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        int at = 0;
        for (int turn = 0; ; turn++) {
            List<Fault> order = new ArrayList<>(faults);
            Collections.shuffle(order, random);
            for (Fault fault : order) {
                int lasts = fault.seconds(random);
                Part part = part(fault, turn, edges, routers, random);
                int begin = at + random.nextInt(SHORTEST_CALM, LONGEST_CALM + 1);
                int end = begin + lasts + fault.aftermath();
                if (end > seconds && !steps.isEmpty()) {
                    return steps;
                }
                steps.add(new Step(steps.size() + 1, begin, fault, part, lasts));
                at = end;
            }
        }
    }

    private static Part part(Fault fault, int turn, int edges, int routers, Random random) {
        return switch (fault) {
            case EDGE -> new Part(Kind.EDGE, turn % edges);
            case CUT -> new Part(Kind.EDGE, (turn + 1) % edges);
            case ROUTER -> new Part(Kind.ROUTER, turn % routers);
            case RESOLVER, POSTGIS -> new Part(Kind.RESOLVER, 0);
            case KAFKA, OUTAGE -> new Part(Kind.KAFKA, 0);
            case STALL -> any(edges, routers, random);
        };
    }

    private static Part any(int edges, int routers, Random random) {
        Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        return switch (kind) {
            case EDGE -> new Part(kind, random.nextInt(edges));
            case ROUTER -> new Part(kind, random.nextInt(routers));
            case RESOLVER, KAFKA -> new Part(kind, 0);
        };
    }
}
