package io.hereabouts.perf.ledger;

import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.guarantee.Books;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.guarantee.Missing;
import io.hereabouts.testkit.guarantee.NoDeliveryOutsideFilter;
import io.hereabouts.testkit.guarantee.NoLostDelivery;
import io.hereabouts.testkit.guarantee.PerEntityOrder;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The books of one fault: all publications from before it until the stack is well again. Closed when nothing of it is under
 * way any more, so that memory does not grow with the run. Thread-safe.
 */
final class Page {

    private final Books books = new Books();
    private final Missing missing = Missing.ofQos1();
    private final NoLostDelivery lost = NoLostDelivery.ofQos1();
    private final NoDeliveryOutsideFilter outside = new NoDeliveryOutsideFilter();
    private final PerEntityOrder order = new PerEntityOrder();
    private final Silent silent = new Silent();
    private final Repeats repeats = new Repeats();
    private final Guarantees guarantees;
    private final Set<Integer> sentAgain = ConcurrentHashMap.newKeySet();
    private final int first;
    private final long begin = System.nanoTime();

    /** @param first number of its first publication */
    Page(Oracle oracle, int first) {
        this.first = first;
        this.guarantees = Guarantees.watching(oracle, books, missing, lost, outside, order, silent);
    }

    int first() {
        return first;
    }

    void publishing(Published publication) {
        guarantees.publishing(publication);
    }

    /** The publisher knows that it was taken, perhaps only after it was sent again. */
    void taken(int publication, boolean again) {
        if (again) {
            sentAgain.add(publication);
        }
        guarantees.acknowledged(String.valueOf(publication));
    }

    /** The publisher knows that it was not taken. */
    void refused(int publication) {
        guarantees.refused(String.valueOf(publication));
    }

    /** The publisher will never know. */
    void inDoubt(int publication) {
        sentAgain.add(publication);
        missing.inDoubt(String.valueOf(publication));
    }

    /**
     * A copy came.
     *
     * @return whether it is the first of its kind
     */
    boolean delivered(int publication, Delivered delivery, String publicationId) {
        boolean isFirst =
                repeats.came(publication, CityClients.number(delivery.client()), delivery.qos(), publicationId);
        guarantees.delivered(delivery);
        return isFirst;
    }

    /** Whether a copy of QoS 1 or 2 is missing that was published before this time, as {@link System#nanoTime}. */
    boolean isLate(long nanos) {
        return missing.isAnyFromBefore(nanos);
    }

    /** Whether no copy of QoS 1 or 2 is missing. */
    boolean isComplete() {
        return missing.violations().isEmpty();
    }

    /** Copies that an edge had written to a connection that was cut then, at most. */
    long inCutConnections(long from, long to, java.util.function.Predicate<String> clients) {
        return silent.between(from, to, clients);
    }

    /**
     * A line for each promise that was broken, and what was; the books themselves are not among them.
     */
    List<String> broken() {
        List<String> lines = new ArrayList<>();
        List.of(outside, order).forEach(promise -> promise.violations()
                .forEach(line -> lines.add("BROKEN: " + promise.promise() + ": " + line)));
        return lines;
    }

    /** Which acknowledged copies of QoS 1 and 2 did not come. */
    List<String> missed() {
        return lost.violations();
    }

    /**
     * The books, one sheet for each QoS.
     *
     * @param counted what edges counted as dropped meanwhile
     * @param cut copies that may be gone with connections
     */
    List<Sheet> close(Map<DropCounters.Drop, Long> counted, long cut) {
        List<Sheet> sheets = new ArrayList<>();
        for (int qos = 0; qos <= 2; qos++) {
            int of = qos;
            Books.Sums sums = books.sums(qos);
            Map<String, Long> reasons = new HashMap<>();
            counted.forEach((drop, count) -> {
                // what Kafka did not take at QoS 1 and 2 its publisher was told, or is told nothing
                if (drop.qos() == of && (of == 0 || !Drops.isOfPublications(drop.reason()))) {
                    reasons.merge(drop.reason(), count, Long::sum);
                }
            });
            long absent = sums.expected() - sums.delivered();
            Drops drops = Drops.explain(
                    absent,
                    qos == 0 ? silent.doubtful() : sums.doubtful(),
                    qos == 0 ? silent.untold() : List.of(),
                    reasons);
            SortedMap<String, Long> dropped = new TreeMap<>(drops.dropped());
            long rest = absent
                    - dropped.values().stream().mapToLong(Long::longValue).sum();
            if (qos == 0 && rest > 0 && cut > 0) {
                dropped.put("connection_cut", Math.min(cut, rest));
            }
            sheets.add(new Sheet(
                    qos,
                    sums.published(),
                    sums.expected(),
                    sums.delivered(),
                    dropped,
                    drops.overcounted(),
                    sums.doubtful(),
                    new Sheet.Again(
                            repeats.marked(qos),
                            repeats.otherwise(qos, sentAgain::contains),
                            repeats.otherwise(qos, p -> !sentAgain.contains(p)))));
        }
        return sheets;
    }

    /** When it began, as {@link System#nanoTime}. */
    long begin() {
        return begin;
    }

    /** Seconds since it began. */
    double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }
}
