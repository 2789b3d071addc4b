package io.hereabouts.bridge.claim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was claimed when this edge started. */
public record EarlierClaims(String edge, Map<String, Claim> byClient) {

    /** Whether another edge has the client's session. */
    public boolean isElsewhere(String client) {
        Claim claim = byClient.get(client);
        return claim != null && !claim.holder().edge().equals(edge);
    }

    /** Whose the client id was; null: whoever comes may have it. */
    public @Nullable String user(String client) {
        Claim claim = byClient.get(client);
        return claim == null ? null : claim.user();
    }

    /** The clients that an earlier run of this edge had. */
    List<String> ofThisEdge() {
        return byClient.entrySet().stream()
                .filter(claim -> claim.getValue().holder().edge().equals(edge))
                .map(Map.Entry::getKey)
                .toList();
    }
}
