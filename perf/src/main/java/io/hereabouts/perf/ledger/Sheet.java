package io.hereabouts.perf.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of the copies of one QoS. Immutable.
 *
 * @param published publications of this QoS
 * @param expected copies that are owed
 * @param delivered those that came, repeats once
 * @param dropped those that were counted as dropped, by reason
 * @param overcounted drops that were counted beyond what is missing
 * @param doubtful copies of publications whose publishers were told nothing; they owe nothing
 * @param repeats copies that came again
 */
record Sheet(
        int qos,
        long published,
        long expected,
        long delivered,
        SortedMap<String, Long> dropped,
        long overcounted,
        long doubtful,
        Again repeats) {

    /**
     * Copies that came again.
     *
     * @param marked with the publication-id of the first
     * @param takenTwice with another one, of a publication that was sent again after the connection was lost
     * @param unexplained with another one, of any other publication
     */
    record Again(long marked, long takenTwice, long unexplained) {
        Again plus(Again other) {
            return new Again(marked + other.marked, takenTwice + other.takenTwice, unexplained + other.unexplained);
        }

        long inAll() {
            return marked + takenTwice + unexplained;
        }
    }

    Sheet {
        dropped = Collections.unmodifiableSortedMap(new TreeMap<>(dropped));
    }

    static Sheet empty(int qos) {
        return new Sheet(qos, 0, 0, 0, new TreeMap<>(), 0, 0, new Again(0, 0, 0));
    }

    long droppedInAll() {
        return dropped.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Copies that neither came nor were counted as dropped. */
    long unexplained() {
        return expected - delivered - droppedInAll();
    }

    Sheet plus(Sheet other) {
        SortedMap<String, Long> reasons = new TreeMap<>(dropped);
        other.dropped.forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
        return new Sheet(
                qos,
                published + other.published,
                expected + other.expected,
                delivered + other.delivered,
                reasons,
                overcounted + other.overcounted,
                doubtful + other.doubtful,
                repeats.plus(other.repeats));
    }

    /**
     * What is wrong with it.
     *
     * @param fault during which it was kept
     * @param bound repeats that there may be after an edge was killed
     */
    List<String> wrong(Fault fault, long bound) {
        List<String> wrong = new ArrayList<>();
        boolean edgeKilled = fault == Fault.EDGE;
        if (unexplained() > 0 && (qos > 0 || !fault.killsCounters())) {
            wrong.add(unexplained() + " copies neither came nor were counted as dropped");
        }
        if (overcounted > 0 && !fault.killsCounters()) {
            wrong.add(overcounted + " drops were counted beyond what is missing");
        }
        if (repeats.unexplained() > 0) {
            wrong.add(repeats.unexplained() + " repeats with another publication-id, nothing having been sent again");
        }
        if (qos != 1 && !edgeKilled && repeats.marked() > 0) {
            wrong.add(repeats.marked() + " repeats, no edge having been killed");
        }
        if (qos == 2 && !edgeKilled && repeats.takenTwice() > 0) {
            wrong.add(repeats.takenTwice() + " repeats of publications taken twice, no edge having been killed");
        }
        if (edgeKilled && repeats.marked() > bound) {
            wrong.add(repeats.marked() + " repeats of what was handed over, at most " + bound + " may be");
        }
        return wrong.stream().map(line -> "QoS " + qos + ": " + line).toList();
    }

    /** The equation. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "QoS %d: %,d expected = %,d delivered + %,d dropped",
                qos,
                expected,
                delivered,
                droppedInAll()));
        if (!dropped.isEmpty()) {
            text.append(' ').append(dropped);
        }
        if (unexplained() != 0) {
            text.append(String.format(Locale.ROOT, " + %,d unexplained", unexplained()));
        }
        text.append(String.format(Locale.ROOT, "; %,d in doubt, %,d repeats", doubtful, repeats.inAll()));
        if (repeats.inAll() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    " (%,d with the same publication-id, %,d taken twice, %,d otherwise)",
                    repeats.marked(),
                    repeats.takenTwice(),
                    repeats.unexplained()));
        }
        return text.toString();
    }
}
