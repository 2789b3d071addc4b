package io.hereabouts.model.index;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.share.Rendezvous;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The filters of one partition: entity → neighborhoods (from slices) → interests (topic filter, edge).
 *
 * <p>Each write carries (owner epoch, version). Writes may come in any order and more than once: an older one has no
 * effect, also after a removal, of which the latest {@code maxRemovals} are remembered. A removal wins over a write of
 * the same version. A slice without interest and an interest without slice match nothing.
 *
 * <p>A lookup costs O(1) in entities and topic filters, and O(n) in the interests of the neighborhoods that hold the
 * entity, shared ones included; of plain subscriptions ({@link NeighborhoodId#EVERYWHERE}) it costs only those that match. A topic name that
 * was seen before makes no garbage. Not thread-safe: each task has its own.
 */
public final class FilterIndex {

    private final EntityTable entities = new EntityTable();
    private final TopicFilters filters = new TopicFilters();
    private final EverywhereInterests everywhere = new EverywhereInterests();
    private final TopicCache topics;
    private final Removals removals;
    private final Shares shares;

    private final NeighborhoodTable neighborhoods = new NeighborhoodTable();
    private final Routes routes = new Routes();
    private final IntStack found = new IntStack();

    private final Map<EdgeId, Integer> edgeCodes = new HashMap<>();
    private EdgeId[] edges = new EdgeId[8];

    private long pairs;
    private long interests;

    /** As the other, of edges that all live. */
    public FilterIndex(int maxRemovals, long topicCacheBytes) {
        this(maxRemovals, topicCacheBytes, edge -> true);
    }

    /**
     * An empty index.
     *
     * @param maxRemovals how many removals are remembered, at least 1
     * @param topicCacheBytes bound of what is remembered of topic names
     * @param lives whether an edge was heard of lately: of a group's edges one that was is chosen before one that was not
     */
    public FilterIndex(int maxRemovals, long topicCacheBytes, Predicate<EdgeId> lives) {
        this.shares = new Shares(lives);
        this.removals = new Removals(maxRemovals);
        this.topics = new TopicCache(filters, topicCacheBytes);
    }

    /**
     * Replaces the neighborhood's slice as a whole, unless this write is older than what is known.
     *
     * @param ids the entities' UTF-8 bytes, repeats allowed
     * @throws IllegalArgumentException if the neighborhood is {@code *} or an id is not 1 to 256 bytes; nothing is changed
     */
    public void applySlice(NeighborhoodId id, long epoch, long version, List<byte[]> ids) {
        if (id.isEverywhere()) {
            throw new IllegalArgumentException("the neighborhood * has no slices");
        }
        for (byte[] entity : ids) {
            EntityTable.check(entity);
        }
        Neighborhood known = neighborhoods.get(id);
        if (removals.outdates(id, epoch, version) || (known != null && !known.isOlderSlice(epoch, version))) {
            return;
        }
        removals.forget(id);
        Neighborhood neighborhood = known == null ? create(id) : known;
        int[] wanted = entities.intern(ids);
        replace(neighborhood, wanted);
        neighborhood.slice(wanted, epoch, version);
    }

    /** Removes the neighborhood's slice, unless it was written after this version. */
    public void removeSlice(NeighborhoodId id, long epoch, long version) {
        Neighborhood known = neighborhoods.get(id);
        if (known != null && known.hasSlice() && !known.isRemovableSlice(epoch, version)) {
            return;
        }
        if (!removals.outdates(id, epoch, version)) {
            removals.remember(id, epoch, version);
        }
        if (known != null && known.hasSlice()) {
            replace(known, new int[0]);
            known.removeSlice();
            forgetIfUnused(known);
        }
    }

    /**
     * Adds an interest, unless this write is older than its removal.
     *
     * @return whether the interest is active now, by this write or by another
     */
    public boolean applyInterest(Interest interest, long epoch, long version) {
        if (removals.outdates(interest, epoch, version)) {
            return false;
        }
        removals.forget(interest);
        int edge = edgeCode(interest.edge());
        if (interest.neighborhood().isEverywhere()) {
            everywhere.apply(interest.topicFilter(), edge, epoch, version);
            return true;
        }
        Neighborhood known = neighborhoods.get(interest.neighborhood());
        Neighborhood neighborhood = known == null ? create(interest.neighborhood()) : known;
        if (interest.isShared()) {
            share(neighborhood, interest, edge, epoch, version);
            return true;
        }
        int filter = filters.find(interest.topicFilter());
        int at = filter == TopicFilters.UNKNOWN ? Neighborhood.ABSENT : neighborhood.findInterest(filter, edge);
        if (at == Neighborhood.ABSENT) {
            neighborhood.addInterest(filters.use(interest.topicFilter()), edge, epoch, version);
            setRoute(neighborhood);
            interests++;
        } else {
            neighborhood.renewInterest(at, epoch, version);
        }
        return true;
    }

    /** Removes an interest, unless it was written after this version. */
    public void removeInterest(Interest interest, long epoch, long version) {
        if (removals.outdates(interest, epoch, version)) {
            return;
        }
        int edge = edgeCodes.getOrDefault(interest.edge(), -1);
        if (interest.neighborhood().isEverywhere()) {
            everywhere.remove(interest.topicFilter(), edge, epoch, version);
            if (!everywhere.contains(interest.topicFilter(), edge)) {
                removals.remember(interest, epoch, version);
            }
            return;
        }
        Neighborhood neighborhood = neighborhoods.get(interest.neighborhood());
        if (interest.isShared()) {
            unshare(neighborhood, interest, edge, epoch, version);
            return;
        }
        int filter = filters.find(interest.topicFilter());
        int at = neighborhood == null ? Neighborhood.ABSENT : neighborhood.findInterest(filter, edge);
        if (neighborhood == null || at == Neighborhood.ABSENT) {
            removals.remember(interest, epoch, version);
        } else if (neighborhood.isRemovableInterest(at, epoch, version)) {
            removals.remember(interest, epoch, version);
            neighborhood.removeInterest(at);
            setRoute(neighborhood);
            interests--;
            filters.release(filter);
            forgetIfUnused(neighborhood);
            renumberFilters();
        }
    }

    private void share(Neighborhood neighborhood, Interest interest, int edge, long epoch, long version) {
        Group group = interest.group();
        if (!shares.renew(group, edge, epoch, version)) {
            int filter = filters.use(interest.topicFilter());
            shares.add(group, neighborhood.code, filter, edge, interest.edge(), epoch, version);
            setRoute(neighborhood);
        }
    }

    private void unshare(@Nullable Neighborhood neighborhood, Interest interest, int edge, long epoch, long version) {
        Group group = interest.group();
        if (neighborhood == null || !shares.contains(group, edge)) {
            removals.remember(interest, epoch, version);
        } else if (shares.isRemovable(group, edge, epoch, version)) {
            removals.remember(interest, epoch, version);
            shares.remove(group, edge);
            filters.release(filters.find(interest.topicFilter()));
            setRoute(neighborhood);
            forgetIfUnused(neighborhood);
            renumberFilters();
        }
    }

    /**
     * Finds who is interested in a publication.
     *
     * @param entity the entity's UTF-8 bytes
     * @param topic holds the topic name as UTF-8, {@code length} bytes, at least 1, from {@code from}
     * @param out filled with the answer
     */
    public void lookup(byte[] entity, byte[] topic, int from, int length, Matches out) {
        out.begin(edges, edgeCodes.size());
        int count = entities.neighborhoods(entity, found);
        if (count == 0 && everywhere.size() == 0) {
            return;
        }
        TopicCache.Entry name = topics.get(topic, from, length);
        if (everywhere.size() > 0) {
            addEverywhere(name, out);
        }
        if (count > 0) {
            out.entityIsKnown();
        }
        boolean shared = false;
        for (int i = 0; i < count; i++) {
            shared |= addInterested(found.get(i), name, out);
        }
        if (shared) {
            addShared(Rendezvous.hash(entity), count, name, out);
        }
    }

    /**
     * Finds the edge that is to have what another could not deliver to a group.
     *
     * @param entity the entity's UTF-8 bytes
     * @param tried what could not be served; its edge is chosen only if the group has no other that lives
     * @param times how often it was handed on: each time the choice is another, so that it does not go to and fro between two
     * @param out filled with the answer: one edge, or none if nobody shares that any more
     */
    public void lookupOther(byte[] entity, Interest tried, int times, Matches out) {
        out.begin(edges, edgeCodes.size());
        shares.addOther(tried.group(), Rendezvous.weight(Rendezvous.hash(entity), times), tried.edge(), out);
    }

    /** The edges that have or had an interest. */
    public List<EdgeId> edges() {
        return List.of(Arrays.copyOf(edges, edgeCodes.size()));
    }

    /** (entity, neighborhood) pairs. */
    public long pairs() {
        return pairs;
    }

    /** Active interests, those in {@code *} included. */
    public long interests() {
        return interests + everywhere.size() + shares.size();
    }

    /** Entities that are in a neighborhood. */
    public int entities() {
        return entities.size();
    }

    /** About how much heap slices, interests and cached topic names take; removals and {@code *} are not in it. */
    public long heapBytes() {
        long sum = entities.heapBytes()
                + filters.heapBytes()
                + topics.heapBytes()
                + routes.heapBytes()
                + shares.heapBytes()
                + neighborhoods.heapBytes();
        long[] each = {0};
        neighborhoods.forEach(neighborhood -> each[0] += neighborhood.heapBytes());
        return sum + each[0];
    }

    private void addEverywhere(TopicCache.Entry name, Matches out) {
        if (!name.isStamped(everywhere.stamp())) {
            topics.edgesOfEverywhere(name, everywhere.edges(name.name), everywhere.stamp());
        }
        for (int edge : name.edgesOfEverywhere()) {
            out.add(edge, NeighborhoodId.EVERYWHERE.handle());
        }
    }

    private void addShared(long entity, int count, TopicCache.Entry name, Matches out) {
        for (int i = 0; i < count; i++) {
            if (routes.interest(found.get(i)) == Routes.SHARED) {
                shares.addChosen(found.get(i), entity, topics, name, out);
            }
        }
    }

    /** True if the neighborhood has shared interests besides. */
    private boolean addInterested(int code, TopicCache.Entry name, Matches out) {
        long only = routes.interest(code);
        if (only >= 0) {
            if (topics.matches(name, Routes.filter(only))) {
                out.addFirst(Routes.edge(only), routes.handle(code));
            }
        } else if (only != Routes.NOBODY) {
            Neighborhood neighborhood = neighborhoods.byCode(code);
            if (neighborhood != null) {
                addInterested(neighborhood, name, out);
            }
        }
        return only == Routes.SHARED;
    }

    private void addInterested(Neighborhood neighborhood, TopicCache.Entry name, Matches out) {
        int count = neighborhood.interests;
        for (int i = 0; i < count; i++) {
            if (topics.matches(name, neighborhood.filter(i))) {
                out.add(neighborhood.edge(i), neighborhood.handle);
            }
        }
    }

    /** Additions come first, so that an entity that stays keeps its code. */
    private void replace(Neighborhood neighborhood, int[] wanted) {
        int[] present = neighborhood.entities();
        forEachMissing(wanted, present, entity -> entities.add(entity, neighborhood.code));
        forEachMissing(present, wanted, entity -> entities.remove(entity, neighborhood.code));
        pairs += wanted.length - present.length;
        entities.tidy();
    }

    private static void forEachMissing(int[] from, int[] in, java.util.function.IntConsumer each) {
        int at = 0;
        for (int value : from) {
            while (at < in.length && in[at] < value) {
                at++;
            }
            if (at == in.length || in[at] != value) {
                each.accept(value);
            }
        }
    }

    private void setRoute(Neighborhood neighborhood) {
        routes.set(neighborhood, shares.hasAny(neighborhood.code));
    }

    private Neighborhood create(NeighborhoodId id) {
        Neighborhood neighborhood = neighborhoods.create(id);
        setRoute(neighborhood);
        return neighborhood;
    }

    private void forgetIfUnused(Neighborhood neighborhood) {
        if (neighborhood.isUnused() && !shares.hasAny(neighborhood.code)) {
            neighborhoods.remove(neighborhood);
        }
    }

    private void renumberFilters() {
        if (!filters.isMostlyDead()) {
            return;
        }
        int[] moved = filters.renumber();
        shares.renumber(moved);
        neighborhoods.forEach(neighborhood -> {
            neighborhood.renumber(moved);
            setRoute(neighborhood);
        });
        topics.clear();
    }

    private int edgeCode(EdgeId edge) {
        Integer known = edgeCodes.get(edge);
        if (known != null) {
            return known;
        }
        int code = edgeCodes.size();
        if (code == edges.length) {
            edges = Arrays.copyOf(edges, code * 2);
        }
        edges[code] = edge;
        edgeCodes.put(edge, code);
        return code;
    }
}
