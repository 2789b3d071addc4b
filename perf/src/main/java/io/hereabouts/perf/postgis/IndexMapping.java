package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.index.FilterIndex;
import io.hereabouts.model.index.Matches;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.topic.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The product's way: a router's index, with one edge that is interested in all of each neighborhood. */
final class IndexMapping implements FilterMapping {

    private static final EdgeId EDGE = EdgeId.of("edge-0");
    private static final TopicFilter FILTER = TopicFilter.parse("perf/#");
    private static final byte[] TOPIC = "perf/state".getBytes(StandardCharsets.UTF_8);
    private static final long TOPIC_CACHE_BYTES = 1 << 20;

    private final FilterIndex index = new FilterIndex(1, TOPIC_CACHE_BYTES);
    private final Matches matches = new Matches();

    IndexMapping(MappingCase shape) {
        for (int n = 0; n < shape.neighborhoods(); n++) {
            index.applySlice(
                    MappingCase.neighborhood(n),
                    1,
                    1,
                    shape.entitiesOf(n).stream().map(EntityId::bytes).toList());
            index.applyInterest(new Interest(MappingCase.neighborhood(n), FILTER, EDGE), 1, 1);
        }
    }

    @Override
    public long[] handles(EntityId entity) {
        index.lookup(entity.bytes(), TOPIC, 0, TOPIC.length, matches);
        return matches.edges() == 0 ? new long[0] : Arrays.copyOf(matches.handles(0), matches.handleCount(0));
    }
}
