package io.hereabouts.router;

import io.hereabouts.model.index.FilterIndex;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.UUID;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The filters of one partition, in memory and without changelog: {@link #init} writes an Owner record and loads the
 * partition until beyond it, so whatever any earlier owner reported as applied is in the index before the first
 * publication is routed, wherever the committed offsets stand.
 *
 * <p>An Owner record of somebody else beyond the own one deposes this store: another task loads or has loaded the
 * partition, perhaps without what follows here, so nothing that follows may be reported as applied by this one. One
 * stream thread at a time.
 */
final class FilterStore implements StateStore {

    private static final Logger LOG = LoggerFactory.getLogger(FilterStore.class);
    private static final int MAX_REMOVALS = 65_536;
    private static final FilterIndex EMPTY = new FilterIndex(1, 0);

    private final String name;
    private final FilterLoader loader;
    private final EdgeTopics edges;
    private final RouterMetrics metrics;
    private final long topicCacheBytes;

    /** The same for every attempt of this store, so that a late write of an earlier attempt is not taken for a successor. */
    private final String identity = UUID.randomUUID().toString();

    private FilterIndex index = EMPTY;
    private int partition = -1;
    private long owner = -1;
    private boolean deposed;
    private boolean open;
    private volatile Figures figures = Figures.NONE;

    /**
     * How much the index holds.
     *
     * @param pairs (entity, neighborhood)
     * @param bytes about how much heap they and the interests take
     */
    record Figures(long pairs, long interests, long bytes) {
        static final Figures NONE = new Figures(0, 0, 0);
    }

    FilterStore(String name, FilterLoader loader, EdgeTopics edges, RouterMetrics metrics, long topicCacheBytes) {
        this.name = name;
        this.loader = loader;
        this.edges = edges;
        this.metrics = metrics;
        this.topicCacheBytes = topicCacheBytes;
    }

    /** The filters. */
    FilterIndex index() {
        return index;
    }

    /** The offset of the own Owner record: the number under which this task speaks to the edges. */
    long owner() {
        return owner;
    }

    /** Whether another task has taken the partition since. */
    boolean isDeposed() {
        return deposed;
    }

    /** Takes note of an Owner record that was read live. */
    void sawOwner(String who, long offset) {
        if (offset > owner && !who.equals(identity) && !deposed) {
            deposed = true;
            metrics.deposed();
            LOG.warn(
                    "partition {}: owner {} was replaced by {} ({}); it reports nothing as applied from here on",
                    partition,
                    owner,
                    offset,
                    who);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        partition = context.taskId().partition();
        FilterIndex fresh = new FilterIndex(MAX_REMOVALS, topicCacheBytes, edges::lives);
        owner = loader.load(partition, identity, (key, value, headers) -> take(fresh, key, value, headers));
        index = fresh;
        deposed = false;
        open = true;
        measure();
        edges.forgetMisses();
        metrics.opened(this);
        // The last line: a store that is registered before it fails is never initialised again and runs empty.
        context.register(root, (key, value) -> {
            throw new IllegalStateException("a store without changelog has nothing to restore");
        });
    }

    /** Does with records what a load does, and keeps nothing. */
    static FilterLoader.RecordSink rehearsal() {
        FilterIndex scratch = new FilterIndex(MAX_REMOVALS, 0);
        return (key, value, headers) -> {
            if (key == null || Keys.isProbe(key) || Keys.isOwner(key)) {
                return;
            }
            try {
                FilterRecords.apply(scratch, key, value, headers);
            } catch (UndecodableException e) {
                LOG.debug("the load will say so: {}", e.getMessage());
            }
        };
    }

    private void take(FilterIndex into, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        if (key == null || Keys.isProbe(key) || Keys.isOwner(key)) {
            return;
        }
        try {
            FilterRecords.apply(into, key, value, headers);
        } catch (UndecodableException e) {
            metrics.undecodableInLoad();
            LOG.warn("partition {}: skipped a record while loading: {}", partition, e.getMessage());
        }
    }

    /** Takes the figures anew; costs in proportion to the neighborhoods. */
    void measure() {
        figures = new Figures(index.pairs(), index.interests(), index.heapBytes());
    }

    /** The figures as they were last taken. May be called from any thread. */
    Figures figures() {
        return figures;
    }

    @Override
    public void close() {
        open = false;
        index = EMPTY;
        figures = Figures.NONE;
        metrics.closed(this);
    }

    @Override
    public boolean persistent() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return open;
    }
}
