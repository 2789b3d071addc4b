package io.hereabouts.resolver.filters;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.world.UnknownReferences;
import java.util.List;

/**
 * What is to be done, in this order: the writes, as listed; when all are acknowledged, the replies and the statuses, and
 * {@code done} is finished with; resolutions meanwhile. Immutable.
 *
 * @param writes to {@code filters}; those for one partition must arrive there in this order
 * @param replies to edges; the input of a replied request is finished once the reply is sent
 * @param done inputs that need no reply
 * @param resolutions neighborhoods to resolve
 * @param statuses what edges are told unasked
 */
public record Decision(
        List<Write> writes, List<Reply> replies, List<Input> done, List<Resolve> resolutions, List<Status> statuses) {

    /**
     * A neighborhood to resolve; the registry waits for the result.
     *
     * @param descriptor canonical
     * @param unknown references are left out if somebody holds the neighborhood already
     */
    public record Resolve(NeighborhoodId neighborhood, String descriptor, UnknownReferences unknown) {}

    public Decision {
        writes = List.copyOf(writes);
        replies = List.copyOf(replies);
        done = List.copyOf(done);
        resolutions = List.copyOf(resolutions);
        statuses = List.copyOf(statuses);
    }

    /** Nothing but a refusal. */
    public static Decision refused(Request request, Refusal refusal) {
        return new Decision(List.of(), List.of(Reply.refused(request, refusal)), List.of(), List.of(), List.of());
    }

    public boolean isEmpty() {
        return writes.isEmpty() && replies.isEmpty() && done.isEmpty() && resolutions.isEmpty() && statuses.isEmpty();
    }
}
