package io.hereabouts.launcher;

import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantee;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Expected copies that have not come, oldest first; repeats change nothing. Publications are numbers, see {@link Round}. */
final class Missing implements Guarantee {

    /** Since when, as {@link System#nanoTime}, by publication and client. */
    private final ConcurrentSkipListMap<Long, Long> copies = new ConcurrentSkipListMap<>();

    @Override
    public String promise() {
        return "everything comes";
    }

    @Override
    public void publishing(Published publication, List<Expected> expected) {
        long now = System.nanoTime();
        expected.forEach(copy -> copies.put(key(publication.id(), CityLoad.number(copy.client())), now));
    }

    @Override
    public void delivered(Delivered delivery) {
        copies.remove(key(delivery.publication(), CityLoad.number(delivery.client())));
    }

    /** Its publisher was not told that it was taken, so nobody waits for it. */
    void inDoubt(String publication) {
        copies.subMap(key(publication, 0), key(publication, CityLoad.CLIENTS)).clear();
    }

    @Override
    public List<String> violations() {
        return copies.isEmpty() ? List.of() : List.of(copies.size() + " copies did not come");
    }

    /** Number of the oldest publication that somebody misses; {@code Integer.MAX_VALUE} if nobody misses anything. */
    int oldest() {
        Map.Entry<Long, Long> oldest = copies.firstEntry();
        return oldest == null ? Integer.MAX_VALUE : (int) (oldest.getKey() / CityLoad.CLIENTS);
    }

    /** Whether somebody misses what was published before this time. */
    boolean isAnyFromBefore(long nanos) {
        Map.Entry<Long, Long> oldest = copies.firstEntry();
        return oldest != null && oldest.getValue() - nanos < 0;
    }

    private static long key(String publication, int client) {
        return Long.parseLong(publication) * CityLoad.CLIENTS + client;
    }
}
