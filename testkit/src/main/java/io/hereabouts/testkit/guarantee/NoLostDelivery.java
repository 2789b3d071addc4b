package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Every expected copy of an acknowledged publication was delivered at least once, or said to be dropped. Copies of QoS 0
 * are promised nothing one by one and are left to {@link Books}, unless asked for.
 */
public final class NoLostDelivery implements Guarantee {

    private final int lowestQos;
    private final Map<String, List<Expected>> expected = new HashMap<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<Pair> accounted = new HashSet<>();

    private NoLostDelivery(int lowestQos) {
        this.lowestQos = lowestQos;
    }

    /** For copies of QoS 1 and 2. */
    public static NoLostDelivery ofQos1() {
        return new NoLostDelivery(1);
    }

    /** For copies of QoS 0 too: where nothing gives a reason to drop. */
    public static NoLostDelivery ofQos0() {
        return new NoLostDelivery(0);
    }

    @Override
    public String promise() {
        return "no acknowledged publication is lost";
    }

    @Override
    public synchronized void publishing(Published publication, List<Expected> copies) {
        expected.put(publication.id(), List.copyOf(copies));
    }

    @Override
    public synchronized void acknowledged(String publication) {
        acknowledged.add(publication);
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        accounted.add(new Pair(delivery.publication(), delivery.client()));
    }

    @Override
    public synchronized void dropped(String publication, String client, String reason) {
        accounted.add(new Pair(publication, client));
    }

    @Override
    public synchronized List<String> violations() {
        return acknowledged.stream()
                .sorted()
                .flatMap(id -> expected.getOrDefault(id, List.of()).stream())
                .filter(e -> e.qos() >= lowestQos)
                .filter(e -> !accounted.contains(new Pair(e.publication(), e.client())))
                .map(e -> new Pair(e.publication(), e.client()) + ", QoS " + e.qos() + ", neighborhoods "
                        + e.neighborhoodIds() + ", was neither delivered nor said to be dropped")
                .toList();
    }
}
