package io.hereabouts.bridge.subscription;

import io.hereabouts.model.interest.Group;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The groups that somebody at this edge is, was, or was about to be a member of: until the routers know that there is nobody
 * any more, what comes for one is for its members elsewhere. Bounded: the one that was asked for longest ago is forgotten
 * first. Owned by one thread.
 */
public final class RecentGroups {

    private static final int MOST = 65_536;

    private final Map<Long, Group> byHandle = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Group> eldest) {
            return size() > MOST;
        }
    };

    void note(Subscription subscription) {
        if (subscription.isShared()) {
            byHandle.put(subscription.handle(), subscription.group());
        }
    }

    /** The group with this handle, if it is one. */
    public @Nullable Group get(long handle) {
        return byHandle.isEmpty() ? null : byHandle.get(handle);
    }
}
