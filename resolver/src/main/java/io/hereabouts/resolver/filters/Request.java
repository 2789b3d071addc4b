package io.hereabouts.resolver.filters;

import io.hereabouts.model.interest.Interest;
import org.jspecify.annotations.Nullable;

/**
 * An edge wants an interest to be active.
 *
 * @param interest what it wants
 * @param requestId chosen by the edge, repeated in the answer
 * @param input where the request came from; null for one of our own, which nobody waits for
 */
public record Request(Interest interest, long requestId, @Nullable Input input) {}
