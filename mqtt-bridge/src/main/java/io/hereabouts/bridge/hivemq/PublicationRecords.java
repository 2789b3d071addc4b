package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.general.UserProperties;
import com.hivemq.extension.sdk.api.packets.publish.PayloadFormatIndicator;
import com.hivemq.extension.sdk.api.packets.publish.PublishPacket;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.UserProperty;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A PUBLISH as a record. Thread-safe. */
final class PublicationRecords {

    /** MQTT's largest interval; HiveMQ says one more when there is none. */
    private static final long MAX_EXPIRY_SECONDS = 0xFFFF_FFFFL;

    /** What a user property takes beyond name and value, at most: two lengths and a byte. */
    private static final int PROPERTY_BYTES = 7;

    private static final long RUN = new SecureRandom().nextLong();
    private static final AtomicLong LAST = new AtomicLong();

    private final EdgeId edge;
    private final UserPropertyNames names;

    PublicationRecords(EdgeId edge, UserPropertyNames names) {
        this.edge = edge;
        this.names = names;
    }

    /** How much a record of the PUBLISH holds that a client chooses, but for the payload. */
    static long bytesBesidesPayload(PublishPacket publish) {
        long bytes = utf8(publish.getTopic());
        bytes += publish.getContentType().map(PublicationRecords::utf8).orElse(0);
        bytes += publish.getResponseTopic().map(PublicationRecords::utf8).orElse(0);
        bytes += publish.getCorrelationData().map(ByteBuffer::remaining).orElse(0);
        for (com.hivemq.extension.sdk.api.packets.general.UserProperty property :
                publish.getUserProperties().asList()) {
            bytes += PROPERTY_BYTES + utf8(property.getName()) + utf8(property.getValue());
        }
        return bytes;
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** @param properties without those that are stripped */
    Publication of(PublishPacket publish, String client, UserProperties properties, long now) {
        return of(publish, client, properties.asList(), now);
    }

    /** As above, with the user properties as a list. */
    Publication of(
            PublishPacket publish,
            String client,
            List<com.hivemq.extension.sdk.api.packets.general.UserProperty> properties,
            long now) {
        List<UserProperty> others = properties.stream()
                .filter(p -> !p.getName().equals(names.entity()))
                .map(p -> new UserProperty(p.getName(), p.getValue()))
                .toList();
        return new Publication(
                publish.getTopic(),
                HexFormat.of().toHexDigits(RUN) + HexFormat.of().toHexDigits(LAST.incrementAndGet()),
                client,
                edge.value(),
                publish.getQos().getQosNumber(),
                publish.getRetain(),
                now,
                publish.getMessageExpiryInterval()
                        .filter(seconds -> seconds <= MAX_EXPIRY_SECONDS)
                        .orElse(null),
                publish.getPayloadFormatIndicator()
                        .map(format -> format == PayloadFormatIndicator.UTF_8 ? 1 : 0)
                        .orElse(null),
                publish.getContentType().orElse(null),
                publish.getResponseTopic().orElse(null),
                publish.getCorrelationData().orElse(null),
                others,
                publish.getPayload().orElse(ByteBuffer.allocate(0)));
    }
}
