package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.resolver.filters.Decision.Resolve;
import io.hereabouts.resolver.filters.Reply.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects one decision; all of its writes have one stamp. */
final class Draft {

    final Stamp stamp;
    final List<Write> writes = new ArrayList<>();
    final List<Reply> replies = new ArrayList<>();
    final List<Input> done = new ArrayList<>();
    final List<Resolve> resolutions = new ArrayList<>();
    final List<Status> statuses = new ArrayList<>();

    Draft(Stamp stamp) {
        this.stamp = stamp;
    }

    void write(Write write) {
        writes.add(write);
    }

    void reply(Reply reply) {
        if (reply.request().input() != null) {
            replies.add(reply);
        }
    }

    void finish(Request request) {
        if (request.input() != null) {
            done.add(request.input());
        }
    }

    /** The interest is active from now on, where the slices are; or it is refused, because a reference is gone. */
    void accept(Neighborhood n, Request request, Outcome outcome) {
        if (!n.admits(request)) {
            reply(Reply.refused(request, Refusal.unknownReferences(n.unknown)));
            return;
        }
        Interest interest = request.interest();
        BitSet before = n.interests.put(interest, (BitSet) n.slices.clone());
        n.slices.stream().forEach(p -> write(new Write.PutInterest(p, interest, stamp, request.requestId())));
        dropElsewhere(interest, before, n.slices);
        if ((request.input() == null && !n.unchecked) || !n.unknown.isEmpty()) {
            // where nobody asked nobody is answered, and no answer says what is missing; what is unchecked comes later
            statuses.add(status(n, Set.of(interest.edge())));
        }
        reply(new Reply(request, outcome, n.worldVersion, n.total, null));
    }

    /** The interest is active nowhere from now on. */
    void drop(Neighborhood n, Interest interest) {
        dropElsewhere(interest, n.interests.remove(interest), new BitSet());
    }

    /** The neighborhood is what the filter says from now on, and its interests are where the slices are. */
    void install(Neighborhood n, SpatialFilter filter) {
        BitSet concerned = filter.partitions();
        boolean isNews = filter.digest() != n.digest || !filter.unknown().equals(n.unknown) || !n.failure.isEmpty();
        if (filter.digest() != n.digest || !concerned.equals(n.slices)) {
            filter.slices().forEach(slice -> write(new Write.PutSlice(n.id, stamp, filter, slice)));
        }
        n.interests.forEach((interest, at) -> {
            concerned.stream()
                    .filter(p -> !at.get(p))
                    .forEach(p -> write(new Write.PutInterest(p, interest, stamp, 0)));
            dropElsewhere(interest, at, concerned);
        });
        n.interests.replaceAll((interest, at) -> (BitSet) concerned.clone());
        n.slices.stream().filter(p -> !concerned.get(p)).forEach(p -> write(new Write.DropSlice(p, n.id, stamp)));
        n.slices = concerned;
        n.digest = filter.digest();
        n.worldVersion = filter.worldVersion();
        n.footprint = filter.footprint();
        n.total = filter.total();
        n.unknown = filter.unknown();
        n.unchecked = false;
        n.failure = "";
        n.since.clear();
        if (isNews) {
            tell(n);
        }
    }

    /** The neighborhood stays what it was, although the world may have changed; edges hear of that once. */
    void keep(Neighborhood n, Refusal why) {
        if (n.failure.isEmpty()) {
            n.failure = why.reason();
            tell(n);
        }
    }

    /** The edges that hold it hear how it is. */
    void tell(Neighborhood n) {
        Set<EdgeId> edges = n.interests.keySet().stream().map(Interest::edge).collect(Collectors.toSet());
        if (!edges.isEmpty()) {
            statuses.add(status(n, edges));
        }
    }

    private static Status status(Neighborhood n, Set<EdgeId> edges) {
        return new Status(n.id, edges, n.worldVersion, n.total, n.unknown, n.failure);
    }

    private void dropElsewhere(Interest interest, @Nullable BitSet at, BitSet concerned) {
        if (at != null) {
            at.stream().filter(p -> !concerned.get(p)).forEach(p -> write(new Write.DropInterest(p, interest, stamp)));
        }
    }

    Decision decision() {
        return new Decision(writes, replies, done, resolutions, statuses);
    }
}
