package io.hereabouts.bridge.delivery;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What was dropped last for each client, of the clients for which something was dropped last. Owned by one thread. */
public final class LastDrops {

    private static final int CLIENTS = 10_000;

    /**
     * @param reason as in the metric
     * @param at milliseconds since 1970
     */
    public record Drop(String reason, int qos, long at) {}

    private final Map<String, Drop> drops = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Drop> eldest) {
            return size() > CLIENTS;
        }
    };

    /** Something for the client was dropped. */
    public void dropped(String client, Drop drop) {
        drops.remove(client);
        drops.put(client, drop);
    }

    /** The last for this client. */
    public Optional<Drop> of(String client) {
        return Optional.ofNullable(drops.get(client));
    }
}
