package io.hereabouts.router;

import org.apache.kafka.common.serialization.Serializer;

/** A framed value and the Kafka topic it goes to: how a processor tells a sink. */
final class Outgoing {

    private final String topic;
    private final byte[] value;

    Outgoing(String topic, byte[] value) {
        this.topic = topic;
        this.value = value;
    }

    String topic() {
        return topic;
    }

    /** The value as it is. */
    static Serializer<Outgoing> serializer() {
        return (topic, outgoing) -> outgoing.value;
    }
}
