package io.hereabouts.bridge.loop;

import java.util.concurrent.CompletableFuture;

/**
 * What became of records of the edge's Kafka topic.
 *
 * @param byBroker done when the broker has all that they say is to be delivered at QoS 1 and 2
 * @param marks what is to be known before the next record is read, as {@code SeenDeliveries} writes it
 */
public record Taken(CompletableFuture<Void> byBroker, String marks) {}
