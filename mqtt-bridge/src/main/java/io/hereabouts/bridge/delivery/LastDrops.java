package io.hereabouts.bridge.delivery;

import io.hereabouts.bridge.RecentlyUsed;
import java.util.Optional;

/** What was dropped last for each client, of the clients for which something was dropped last. Owned by one thread. */
public final class LastDrops {

    private static final long MOST_BYTES = 2L << 20;
    private static final int DROP_BYTES = 150;

    /**
     * @param reason as in the metric
     * @param at milliseconds since 1970
     */
    public record Drop(String reason, int qos, long at) {}

    private final RecentlyUsed<String, Drop> drops =
            new RecentlyUsed<>(MOST_BYTES, (client, drop) -> DROP_BYTES + 2 * client.length());

    /** Something for the client was dropped. */
    public void dropped(String client, Drop drop) {
        drops.put(client, drop);
    }

    /** The last for this client. */
    public Optional<Drop> of(String client) {
        return Optional.ofNullable(drops.get(client));
    }
}
