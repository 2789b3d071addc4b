package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Expected copies that have not come, oldest first; repeats change nothing. Publications are named by numbers that grow,
 * clients are those of {@link CityClients}. Thread-safe.
 */
public final class Missing implements Guarantee {

    private final int lowestQos;

    /** Since when, as {@link System#nanoTime}, by publication and client. */
    private final ConcurrentSkipListMap<Long, Long> copies = new ConcurrentSkipListMap<>();

    private Missing(int lowestQos) {
        this.lowestQos = lowestQos;
    }

    /** Copies of every QoS. */
    public static Missing ofQos0() {
        return new Missing(0);
    }

    /** Copies of QoS 1 and 2: those of QoS 0 need not come. */
    public static Missing ofQos1() {
        return new Missing(1);
    }

    @Override
    public String promise() {
        return "everything comes";
    }

    @Override
    public void publishing(Published publication, List<Expected> expected) {
        long now = System.nanoTime();
        for (Expected copy : expected) {
            if (copy.qos() >= lowestQos) {
                copies.put(key(publication.id(), CityClients.number(copy.client())), now);
            }
        }
    }

    @Override
    public void delivered(Delivered delivery) {
        copies.remove(key(delivery.publication(), CityClients.number(delivery.client())));
    }

    /** Its publisher was told that it was not taken, so nobody gets it. */
    @Override
    public void refused(String publication) {
        inDoubt(publication);
    }

    /** Its publisher was not told that it was taken, so nobody waits for it. */
    public void inDoubt(String publication) {
        copies.subMap(key(publication, 0), key(publication, CityClients.MOST)).clear();
    }

    @Override
    public List<String> violations() {
        return copies.isEmpty() ? List.of() : List.of(copies.size() + " copies did not come");
    }

    /** Number of the oldest publication that somebody misses; {@code Integer.MAX_VALUE} if nobody misses anything. */
    public int oldest() {
        Map.Entry<Long, Long> oldest = copies.firstEntry();
        return oldest == null ? Integer.MAX_VALUE : (int) (oldest.getKey() / CityClients.MOST);
    }

    /** Whether somebody misses what was published before this time. */
    public boolean isAnyFromBefore(long nanos) {
        Map.Entry<Long, Long> oldest = copies.firstEntry();
        return oldest != null && oldest.getValue() - nanos < 0;
    }

    private static long key(String publication, int client) {
        return Long.parseLong(publication) * CityClients.MOST + client;
    }
}
