package io.hereabouts.model.index;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.share.Rendezvous;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The groups of shared interests, by neighborhood. A publication goes to one edge of a group: the one that
 * {@link Rendezvous} chooses for its entity among those that live, or among all if none does. Beside the interests that are
 * not shared, so that these cost nothing more. Not thread-safe.
 */
final class Shares {

    private static final int GROUP_BYTES = 160;
    private static final int MEMBER_BYTES = 56;

    /** An edge that has a member of the group. */
    private static final class Member {
        final int edge;
        final EdgeId id;
        final long hash;
        long epoch;
        long version;

        Member(int edge, EdgeId id, long epoch, long version) {
            this.edge = edge;
            this.id = id;
            this.hash = Rendezvous.hash(id.value());
            this.epoch = epoch;
            this.version = version;
        }
    }

    /** The edges that have a member of one group. */
    private static final class Edges {
        final long handle;
        final int neighborhood;
        int filter;
        final List<Member> members = new ArrayList<>(2);

        Edges(long handle, int neighborhood, int filter) {
            this.handle = handle;
            this.neighborhood = neighborhood;
            this.filter = filter;
        }

        @Nullable
        Member member(int edge) {
            for (Member member : members) {
                if (member.edge == edge) {
                    return member;
                }
            }
            return null;
        }
    }

    private final Map<Integer, List<Edges>> byNeighborhood = new HashMap<>();
    private final Map<Group, Edges> groups = new HashMap<>();
    private final Predicate<EdgeId> lives;
    private int size;

    /** @param lives whether an edge was heard of lately; asked at each choice */
    Shares(Predicate<EdgeId> lives) {
        this.lives = lives;
    }

    /** How many interests are shared. */
    int size() {
        return size;
    }

    /** Whether a neighborhood has a group. */
    boolean hasAny(int neighborhood) {
        return size > 0 && byNeighborhood.containsKey(neighborhood);
    }

    /** Whether the edge has a member in the group. */
    boolean contains(Group shared, int edge) {
        return find(shared, edge) != null;
    }

    private @Nullable Member find(Group shared, int edge) {
        Edges group = groups.get(shared);
        return group == null ? null : group.member(edge);
    }

    /** Adds an edge that the group does not have. */
    void add(Group shared, int neighborhood, int filter, int edge, EdgeId id, long epoch, long version) {
        Edges group = groups.computeIfAbsent(shared, s -> {
            Edges made = new Edges(shared.handle(), neighborhood, filter);
            byNeighborhood
                    .computeIfAbsent(neighborhood, n -> new ArrayList<>(1))
                    .add(made);
            return made;
        });
        group.members.add(new Member(edge, id, epoch, version));
        size++;
    }

    /** Notes that an edge's interest was written again; false if the group does not have the edge. */
    boolean renew(Group shared, int edge, long epoch, long version) {
        Member member = find(shared, edge);
        if (member != null && Versions.isAfter(epoch, version, member.epoch, member.version)) {
            member.epoch = epoch;
            member.version = version;
        }
        return member != null;
    }

    /** Whether a removal of this version would remove the edge. */
    boolean isRemovable(Group shared, int edge, long epoch, long version) {
        Member member = find(shared, edge);
        return member != null && !Versions.isAfter(member.epoch, member.version, epoch, version);
    }

    /** Removes an edge that is there. */
    void remove(Group shared, int edge) {
        Edges group = groups.get(shared);
        if (group == null || !group.members.removeIf(member -> member.edge == edge)) {
            return;
        }
        size--;
        if (group.members.isEmpty()) {
            groups.remove(shared);
            byNeighborhood.computeIfPresent(group.neighborhood, (n, all) -> {
                all.remove(group);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** Topic filters have other codes now. */
    void renumber(int[] moved) {
        groups.values().forEach(group -> group.filter = moved[group.filter]);
    }

    /** Adds, for each of the neighborhood's groups whose topic filter matches, the edge that is to have it. */
    void addChosen(int neighborhood, long entity, TopicCache topics, TopicCache.Entry name, Matches out) {
        for (Edges group : byNeighborhood.getOrDefault(neighborhood, List.of())) {
            if (topics.matches(name, group.filter)) {
                Member chosen = choose(group.members, entity);
                if (chosen != null) {
                    out.add(chosen.edge, group.handle);
                }
            }
        }
    }

    /**
     * Adds the edge that is to have what another could not deliver: another that lives; else that one, if it lives; else
     * another all the same.
     */
    void addOther(Group shared, long key, EdgeId than, Matches out) {
        Edges group = groups.get(shared);
        if (group == null) {
            return;
        }
        List<Member> others =
                group.members.stream().filter(member -> !member.id.equals(than)).toList();
        boolean othersOnly = anyLives(others) || (!others.isEmpty() && !anyLives(group.members));
        Member chosen = choose(othersOnly ? others : group.members, key);
        if (chosen != null) {
            out.add(chosen.edge, group.handle);
        }
    }

    private boolean anyLives(List<Member> members) {
        return members.stream().anyMatch(member -> lives.test(member.id));
    }

    private @Nullable Member choose(List<Member> members, long entity) {
        return Rendezvous.choose(members, entity, member -> member.hash, member -> lives.test(member.id));
    }

    long heapBytes() {
        return (long) GROUP_BYTES * groups.size() + (long) MEMBER_BYTES * size;
    }
}
