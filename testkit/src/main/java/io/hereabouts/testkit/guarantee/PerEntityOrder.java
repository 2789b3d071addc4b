package io.hereabouts.testkit.guarantee;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Per entity, publisher and QoS, every client gets publications in the order they were published. Publications without
 * entity are ordered per topic name instead, as MQTT has it. Repeats are passed over: {@link NoDuplicateDelivery}
 * counts them.
 */
public final class PerEntityOrder implements Guarantee {

    private final Map<String, Place> places = new HashMap<>();
    private final Set<Pair> seen = new HashSet<>();
    private final Map<Stream, Place> last = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private long next;

    @Override
    public String promise() {
        return "per entity, publisher and QoS in publishing order";
    }

    @Override
    public synchronized void publishing(Published publication, List<Expected> expected) {
        places.put(publication.id(), new Place(next++, publication));
    }

    @Override
    public synchronized void delivered(Delivered delivery) {
        Place place = places.get(delivery.publication());
        if (place == null || !seen.add(new Pair(delivery.publication(), delivery.client()))) {
            return;
        }
        Published p = place.publication();
        Stream stream = new Stream(
                delivery.client(), p.publisher(), p.qos(), p.entity(), p.entity() == null ? p.topic() : null);
        Place before = last.get(stream);
        if (before != null && before.number() > place.number()) {
            broken.add("client " + delivery.client() + " got publication " + p.id() + " after "
                    + before.publication().id() + ", which " + p.publisher() + " published later"
                    + (p.entity() == null ? ", topic " + p.topic() : ", entity " + p.entity()) + ", QoS " + p.qos());
        } else {
            last.put(stream, place);
        }
    }

    @Override
    public synchronized List<String> violations() {
        return List.copyOf(broken);
    }

    private record Place(long number, Published publication) {}

    private record Stream(String client, String publisher, int qos, @Nullable String entity, @Nullable String topic) {}
}
