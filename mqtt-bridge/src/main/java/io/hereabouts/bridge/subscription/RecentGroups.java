package io.hereabouts.bridge.subscription;

import io.hereabouts.bridge.RecentlyUsed;
import io.hereabouts.model.interest.Group;
import org.jspecify.annotations.Nullable;

/**
 * The groups that somebody at this edge is, was, or was about to be a member of: until the routers know that there is nobody
 * any more, what comes for one is for its members elsewhere. Bounded: the one that was asked for longest ago is forgotten
 * first. Owned by one thread.
 */
public final class RecentGroups {

    private static final long MOST_BYTES = 8L << 20;
    private static final int GROUP_BYTES = 200;

    private final RecentlyUsed<Long, Group> byHandle = new RecentlyUsed<>(
            MOST_BYTES,
            (handle, group) -> GROUP_BYTES + 2 * group.filter().text().length());

    /** Deliveries may come for it. */
    public void note(Group group) {
        byHandle.put(group.handle(), group);
    }

    /** True if there has been none. */
    public boolean isEmpty() {
        return byHandle.isEmpty();
    }

    /** The group with this handle, if it is one. */
    public @Nullable Group get(long handle) {
        return byHandle.get(handle);
    }
}
