package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whatever a client gets was meant for it: published, not refused, matching one of its subscriptions; it names exactly
 * the neighborhoods that match, and does not come with a higher QoS than it should.
 */
public final class NoDeliveryOutsideFilter implements Guarantee {

    private final Set<String> published = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private final Map<Pair, Expected> expected = new HashMap<>();
    private final List<Delivered> deliveries = new ArrayList<>();

    @Override
    public String promise() {
        return "no delivery outside topic filter and neighborhood";
    }

    @Override
    public synchronized void publishing(Published publication, List<Expected> copies) {
        published.add(publication.id());
        copies.forEach(e -> expected.put(new Pair(e.publication(), e.client()), e));
    }

    @Override
    public synchronized void refused(String publication) {
        refused.add(publication);
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        deliveries.add(delivery);
    }

    @Override
    public synchronized List<String> violations() {
        List<String> broken = new ArrayList<>();
        for (Delivered d : deliveries) {
            Pair pair = new Pair(d.publication(), d.client());
            Expected e = expected.get(pair);
            if (!published.contains(d.publication())) {
                broken.add(pair + " came, and nobody published it");
            } else if (refused.contains(d.publication())) {
                broken.add(pair + " came, and its publisher was told that it was refused");
            } else if (e == null) {
                broken.add(pair + " came with neighborhoods " + d.neighborhoodIds()
                        + ", and no subscription of the client matches");
            } else if (!e.neighborhoodIds().equals(d.neighborhoodIds())) {
                broken.add(
                        pair + " came with neighborhoods " + d.neighborhoodIds() + ", expected " + e.neighborhoodIds());
            } else if (d.qos() > e.qos()) {
                broken.add(pair + " came with QoS " + d.qos() + ", expected " + e.qos());
            }
        }
        return broken;
    }
}
