package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.index.FilterIndex;
import io.hereabouts.model.index.Matches;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The product's way: a router's index, with one edge that is interested in all of each neighborhood. */
final class IndexMapping implements FilterMapping {

    private static final EdgeId EDGE = EdgeId.of("edge-0");
    private static final TopicFilter FILTER = TopicFilter.parse("perf/#");
    private static final byte[] TOPIC = "perf/state".getBytes(StandardCharsets.UTF_8);
    private static final long TOPIC_CACHE_BYTES = 1 << 20;

    private final FilterIndex index = new FilterIndex(1, TOPIC_CACHE_BYTES);
    private final Matches matches = new Matches();

    private long version = 1;

    IndexMapping(MappingCase shape) {
        for (int n = 0; n < shape.neighborhoods(); n++) {
            add(MappingCase.neighborhood(n), shape.entitiesOf(n));
        }
    }

    @Override
    public void add(NeighborhoodId neighborhood, List<EntityId> entities) {
        version++;
        index.applySlice(
                neighborhood, 1, version, entities.stream().map(EntityId::bytes).toList());
        index.applyInterest(new Interest(neighborhood, FILTER, EDGE), 1, version);
    }

    @Override
    public void remove(NeighborhoodId neighborhood) {
        version++;
        index.removeInterest(new Interest(neighborhood, FILTER, EDGE), 1, version);
        index.removeSlice(neighborhood, 1, version);
    }

    @Override
    public long[] handles(EntityId entity) {
        index.lookup(entity.bytes(), TOPIC, 0, TOPIC.length, matches);
        return matches.edges() == 0 ? new long[0] : Arrays.copyOf(matches.handles(0), matches.handleCount(0));
    }
}
