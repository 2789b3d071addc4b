package io.hereabouts.perf.ledger;

import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantee;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Copies of QoS 0 that have not come. Edges count publications that they could not bring to Kafka, each of which takes all of
 * its copies with it, and copies that go no further; so what is missing is told apart here. Thread-safe.
 */
final class Silent implements Guarantee {

    /** A publication with copies of QoS 0 that have not come. */
    private static final class Open {
        private final long since = System.nanoTime();
        private final boolean wholly;
        private final Set<String> clients = new HashSet<>();
        private boolean anyCame;
        private boolean acknowledged;

        Open(boolean wholly) {
            this.wholly = wholly;
        }
    }

    private final Map<String, Open> open = new HashMap<>();

    @Override
    public String promise() {
        return "QoS 0 comes, too";
    }

    @Override
    public synchronized void publishing(Published publication, List<Expected> copies) {
        Open it = new Open(publication.qos() == 0);
        copies.stream().filter(c -> c.qos() == 0).forEach(c -> it.clients.add(c.client()));
        if (!it.clients.isEmpty()) {
            open.put(publication.id(), it);
        }
    }

    @Override
    public synchronized void acknowledged(String publication) {
        Open it = open.get(publication);
        if (it != null) {
            it.acknowledged = true;
        }
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        Open it = open.get(delivery.publication());
        if (it != null && it.clients.remove(delivery.client())) {
            it.anyCame = true;
            if (it.clients.isEmpty()) {
                open.remove(delivery.publication());
            }
        }
    }

    /** Of each publication of QoS 0 of which nobody got anything: how many copies that are. */
    synchronized List<Long> untold() {
        return open.values().stream()
                .filter(it -> it.wholly && it.acknowledged && !it.anyCame)
                .map(it -> (long) it.clients.size())
                .toList();
    }

    /** Copies whose publishers cannot know whether anybody took them. */
    synchronized long doubtful() {
        return open.values().stream()
                .filter(it -> !it.acknowledged)
                .mapToLong(it -> it.clients.size())
                .sum();
    }

    /** Copies of these clients that were published between these times, as {@link System#nanoTime}. */
    synchronized long between(long from, long to, Predicate<String> clients) {
        return open.values().stream()
                .filter(it -> it.acknowledged && it.since - from >= 0 && it.since - to <= 0)
                .flatMap(it -> it.clients.stream())
                .filter(clients)
                .count();
    }

    @Override
    public synchronized List<String> violations() {
        return List.of();
    }
}
