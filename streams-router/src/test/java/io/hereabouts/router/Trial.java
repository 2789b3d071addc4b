package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;

/**
 * Neighborhoods that come, change and go, publications about their entities, and a book of what the edge must receive: a
 * neighborhood that was reported as applied before a publication was published must be on its delivery; one that the
 * entity was not in, or that had gone before the routers at work began, must not. Single thread.
 */
final class Trial implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String FILTER = "t/+";

    private static final class Place {
        private final NeighborhoodId id;
        private Set<String> entities;

        Place(NeighborhoodId id, Set<String> entities) {
            this.id = id;
            this.entities = entities;
        }
    }

    /** What a delivery must and may name. A change moves a neighborhood from the first to the second while it may wait. */
    private record Expected(String entity, Set<Long> must, Set<Long> may) {}

    private final TopicCatalogue topics;
    private final Random random;
    private final GroupProgress progress;
    private final FilterWriter resolver;
    private final TestPublisher publisher;
    private final TestEdge edge;
    private final List<Place> places = new ArrayList<>();
    private final Map<String, Set<Long>> lingering = new HashMap<>();
    private final Map<String, Expected> expected = new LinkedHashMap<>();
    private Map<Integer, Long> newest = Map.of();
    private int killsBeforeCommit;
    private int killsAfterCommit;
    private int made;
    private int published;
    private int replaced;
    private int removed;

    Trial(KafkaConnection kafka, TopicCatalogue topics, long seed) throws Exception {
        this.topics = topics;
        this.random = new Random(seed);
        try (TopicAdmin fixed = new TopicAdmin(kafka, topics)) {
            fixed.create(topics.fixed());
        }
        this.progress = new GroupProgress(kafka, topics);
        this.resolver = new FilterWriter(kafka, topics);
        this.publisher = new TestPublisher(kafka, topics);
        this.edge = TestEdge.open("e1", kafka, topics);
    }

    /** A new neighborhood; returns when it is active. */
    void addNeighborhood() throws Exception {
        Place place = new Place(NeighborhoodId.ofCanonical(topics.prefix() + made++), someEntities());
        activate(place);
        places.add(place);
    }

    /** Another set of entities for one of them; returns when it is active. */
    void replaceNeighborhood() throws Exception {
        if (places.isEmpty()) {
            return;
        }
        Place place = places.get(random.nextInt(places.size()));
        place.entities.forEach(entity -> linger(entity, place));
        place.entities = someEntities();
        activate(place);
        replaced++;
    }

    /** Takes one of the older ones away. */
    void removeNeighborhood() {
        if (places.size() > 3) {
            Place place = places.remove(random.nextInt(places.size() - 1));
            place.entities.forEach(entity -> linger(entity, place));
            resolver.removeInterest(place.id, FILTER, "e1");
            if (random.nextBoolean()) {
                resolver.neighborhood(place.id, Set.of());
            }
            resolver.flush();
            removed++;
        }
    }

    private void activate(Place place) throws Exception {
        waiting().filter(e -> place.entities.contains(e.entity)).forEach(e -> e.may.add(place.id.handle()));
        resolver.neighborhood(place.id, place.entities);
        newest = resolver.interest(place.id, FILTER, "e1");
        edge.awaitApplied(newest, PATIENCE);
    }

    private void linger(String entity, Place place) {
        waiting().filter(e -> e.entity.equals(entity)).forEach(e -> e.must.remove(place.id.handle()));
        lingering.computeIfAbsent(entity, e -> new HashSet<>()).add(place.id.handle());
    }

    /** What has been published and may not have been routed. */
    private Stream<Expected> waiting() {
        return expected.entrySet().stream()
                .filter(e -> !edge.book().received().containsKey(e.getKey()))
                .map(Map.Entry::getValue);
    }

    private Set<String> someEntities() {
        Set<String> some = new TreeSet<>();
        while (some.size() < 6) {
            some.add("entity-" + random.nextInt(60));
        }
        return some;
    }

    /** About entities of the newest neighborhood and of some earlier ones; returns when Kafka has them. */
    void publishSome() {
        if (!places.isEmpty()) {
            places.get(places.size() - 1).entities.forEach(this::publish);
            for (int i = 0; i < 6; i++) {
                Place place = places.get(random.nextInt(places.size()));
                publish(new ArrayList<>(place.entities).get(random.nextInt(place.entities.size())));
            }
        }
        publisher.flush();
    }

    private void publish(String entity) {
        Set<Long> must = new TreeSet<>();
        for (Place place : places) {
            if (place.entities.contains(entity)) {
                must.add(place.id.handle());
            }
        }
        Set<Long> may = new HashSet<>(must);
        may.addAll(lingering.getOrDefault(entity, Set.of()));
        String payload = "p" + published++;
        expected.put(payload, new Expected(entity, must, may));
        var unused = publisher.publish(entity, "t/" + random.nextInt(20), payload);
    }

    /** The only router was killed: none is at work that has known what was taken away before. */
    void routerWasKilled() throws Exception {
        lingering.clear();
        Map<TopicPartition, OffsetAndMetadata> committed = progress.committed();
        boolean allCommitted = newest.entrySet().stream().allMatch(interest -> {
            OffsetAndMetadata at = committed.get(new TopicPartition(topics.filters(), interest.getKey()));
            return at != null && at.offset() > interest.getValue();
        });
        if (allCommitted) {
            killsAfterCommit++;
        } else {
            killsBeforeCommit++;
        }
    }

    /** Reads deliveries for a random while. */
    void pause(int maxMillis) {
        edge.poll(Duration.ofMillis(random.nextInt(maxMillis)));
    }

    TestEdge edge() {
        return edge;
    }

    FilterWriter resolver() {
        return resolver;
    }

    /** Waits until all that was published has been routed and the edge has read it. */
    void settle() {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(progress::hasRoutedAll);
        edge.catchUp();
    }

    /** Publications that lack a neighborhood they had to be delivered for. */
    List<String> missed() {
        List<String> missed = new ArrayList<>();
        expected.forEach((payload, e) -> {
            EdgeBook.Received received = edge.book().received().get(payload);
            Set<Long> handles = received == null ? Set.of() : received.handles();
            if (!handles.containsAll(e.must)) {
                missed.add(payload + " " + e + " received " + received);
            }
        });
        return missed;
    }

    void assertNothingOutsideFilters() {
        edge.book().received().forEach((payload, received) -> {
            Expected e = Objects.requireNonNull(expected.get(payload), payload);
            assertThat(e.may).as("%s %s", payload, e).containsAll(received.handles());
        });
    }

    String figures() {
        EdgeBook book = edge.book();
        return String.format(
                "killed before its offset was committed %d, after %d; publications %d, neighborhoods %d (+%d replaced, %d removed), missed %d, repeats dropped %d,"
                        + " stale deliveries dropped %d, stale applied dropped %d",
                killsBeforeCommit,
                killsAfterCommit,
                published,
                made,
                replaced,
                removed,
                missed().size(),
                book.repeats(),
                book.staleDeliveries(),
                book.staleApplied());
    }

    @Override
    public void close() {
        edge.close();
        publisher.close();
        resolver.close();
        progress.close();
    }
}
