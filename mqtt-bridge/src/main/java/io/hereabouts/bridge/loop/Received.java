package io.hereabouts.bridge.loop;

/**
 * A record of the edge's Kafka topic.
 *
 * @param appendedAt when Kafka took it, milliseconds since 1970
 * @param handedOn how often edges have handed it on; 0 for what the router chose this edge for
 */
@SuppressWarnings("ArrayRecordComponent") // handed over once, never compared
public record Received(byte[] key, byte[] value, long appendedAt, int handedOn) {}
