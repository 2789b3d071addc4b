package io.hereabouts.resolver.filters;

/**
 * A record of the Kafka topic {@code interests} that is being worked on.
 *
 * @param partition of {@code interests}
 * @param offset in that partition
 */
public record Input(int partition, long offset) {}
