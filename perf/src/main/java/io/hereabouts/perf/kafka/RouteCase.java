package io.hereabouts.perf.kafka;

import io.hereabouts.model.interest.EdgeId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One shape of the filters.
 *
 * @param id part of Kafka topic names
 * @param edges that are interested in every neighborhood
 * @param neighborhoodsOfEntity how many neighborhoods each entity is in
 * @param matches whether the edges' topic filter matches what is published; if not, the fan-out is 0
 */
record RouteCase(String id, String name, int edges, int neighborhoodsOfEntity, boolean matches) {

    /** The most neighborhoods that an entity is in. */
    static final int MOST_NEIGHBORHOODS = 10;

    static final List<RouteCase> ALL = List.of(
            new RouteCase("f0", "fan-out 0", 1, 1, false),
            new RouteCase("f1", "fan-out 1", 1, 1, true),
            new RouteCase("f1n10", "fan-out 1, 10 neighborhoods", 1, MOST_NEIGHBORHOODS, true),
            new RouteCase("f10", "fan-out 10", 10, 1, true));

    /** Deliveries of a publication. */
    int fanOut() {
        return matches ? edges : 0;
    }

    /** Publications of a round, so that there are never more than twice as many deliveries as were asked for. */
    int records(int asked) {
        return Math.min(asked, Math.max(1, 2 * asked / Math.max(1, fanOut())));
    }

    String topicFilter() {
        return matches ? "perf/#" : "other/#";
    }

    List<EdgeId> edgeIds() {
        return IntStream.range(0, edges).mapToObj(i -> EdgeId.of("edge-" + i)).toList();
    }
}
