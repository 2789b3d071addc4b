package io.hereabouts.perf.kafka;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.util.List;

/** A publication as an edge writes it. No state. */
final class FramedPublication {

    private FramedPublication() {}

    /** The value of its record. */
    static byte[] of(String topic, byte[] payload) {
        return Framing.encode(Publication.newBuilder()
                .setTopic(topic)
                .setPublicationId("0123456789abcdef0123456789abcdef")
                .setPublisher("perf")
                .setEdge("edge-0")
                .setQos(1)
                .setRetain(false)
                .setEventTime(0L)
                .setUserProperties(List.of())
                .setPayload(ByteBuffer.wrap(payload))
                .build());
    }
}
