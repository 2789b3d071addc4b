package io.hereabouts.bridge.retained;

import io.hereabouts.bridge.subscription.Subscription;

/**
 * A subscription that begins to be served.
 *
 * @param since grows from one to the next
 * @param retained whether what is retained is to be delivered to it now
 */
public record Wanted(Subscription subscription, long since, boolean retained) {}
