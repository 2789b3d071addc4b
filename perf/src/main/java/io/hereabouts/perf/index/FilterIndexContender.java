package io.hereabouts.perf.index;

import io.hereabouts.model.index.FilterIndex;
import io.hereabouts.model.index.Matches;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.topic.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The product: a router task's index. One interest a neighborhood, of one of four edges, whose topic filter matches; a
 * lookup also finds out that it does and whose it is, which the others are spared.
 */
final class FilterIndexContender implements IndexContender {

    private static final int EDGES = 4;
    private static final int TOPICS = 64;
    private static final long TOPIC_CACHE_BYTES = 1 << 20;

    private final FilterIndex index = new FilterIndex(1, TOPIC_CACHE_BYTES);
    private final Matches matches = new Matches();
    private final List<EdgeId> edges =
            IntStream.range(0, EDGES).mapToObj(e -> EdgeId.of("edge-" + e)).toList();
    private final List<TopicFilter> filters = Stream.of("perf/#", "perf/+", "#", "+/#", "+/+", "perf/+/#")
            .map(TopicFilter::parse)
            .toList();
    private final byte[][] topics = new byte[TOPICS][];
    private int turn;

    FilterIndexContender() {
        for (int t = 0; t < TOPICS; t++) {
            topics[t] = ("perf/state-" + t).getBytes(StandardCharsets.UTF_8);
        }
    }

    @Override
    public void add(int neighborhood, List<byte[]> entities) {
        index.applySlice(IndexShape.id(neighborhood), 1, 1, entities);
        index.applyInterest(
                new Interest(
                        IndexShape.id(neighborhood),
                        filters.get(neighborhood % filters.size()),
                        edges.get(neighborhood % EDGES)),
                1,
                1);
    }

    @Override
    public int find(byte[] entity) {
        byte[] topic = topics[turn++ & (TOPICS - 1)];
        index.lookup(entity, topic, 0, topic.length, matches);
        return matches.edges();
    }

    @Override
    public long sum(byte[] entity) {
        var unused = find(entity);
        long sum = 0;
        for (int e = 0; e < matches.edges(); e++) {
            long[] handles = matches.handles(e);
            for (int h = 0; h < matches.handleCount(e); h++) {
                sum += handles[h];
            }
        }
        return sum;
    }

    @Override
    public long heapGauge() {
        return index.heapBytes();
    }
}
