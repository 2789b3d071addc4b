package io.hereabouts.bridge.subscription;

/**
 * A subscription as the broker has it.
 *
 * @param topicFilter as the broker has it: a hidden one for a neighborhood
 */
public record BrokerSubscription(String client, String topicFilter, Subscription.Options options) {}
