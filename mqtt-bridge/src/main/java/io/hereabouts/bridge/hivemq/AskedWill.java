package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import com.hivemq.extension.sdk.api.packets.connect.WillPublishPacket;
import io.hereabouts.bridge.publish.PublishRules;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.hereabouts.bridge.will.SpatialWill;
import io.hereabouts.model.entity.EntityId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a CONNECT wants to have published when its connection is lost. A will never passes the inbound interceptor, nor
 * HiveMQ's rule on topics that begin with {@code $}: what it says is handed out as it is, and one about an entity to plain
 * subscribers only. So it is looked at like a PUBLISH here, and one about an entity is taken from HiveMQ. Whether the
 * client may publish it is asked when it is known who the client is.
 *
 * @param refused what is wrong with it
 * @param spatial it is about an entity; empty if it is refused
 */
record AskedWill(Optional<RefusedWill> refused, Optional<SpatialWill> spatial) {

    private static final int TOPIC_NAME_INVALID = 0x90;

    static final AskedWill PLAIN = new AskedWill(Optional.empty(), Optional.empty());

    /** @param number of the connection */
    static AskedWill of(ConnectPacket connect, String client, long number, Bridge bridge) {
        Optional<WillPublishPacket> asked = connect.getWillPublish();
        if (asked.isEmpty()) {
            return PLAIN;
        }
        WillPublishPacket will = asked.get();
        List<String> entities =
                will.getUserProperties().getAllForName(bridge.names().entity());
        String topic = will.getTopic();
        if (topic.startsWith(HiddenTopics.ROOT)) {
            return refused(
                    "will_on_hidden_topic",
                    TOPIC_NAME_INVALID,
                    "will on " + topic + ": topics below " + HiddenTopics.ROOT + " are the edge's own");
        }
        if (entities.isEmpty()) {
            return PLAIN;
        }
        if (topic.startsWith("$")) {
            return refused(
                    "will_on_dollar_topic",
                    TOPIC_NAME_INVALID,
                    "will with user property '" + bridge.names().entity() + "' on " + topic
                            + ": nobody may publish to topics that begin with '$'");
        }
        int payloadBytes = will.getPayload().map(ByteBuffer::remaining).orElse(0);
        long otherBytes = PublicationRecords.bytesBesidesPayload(will);
        PublishRules.Decision decision = bridge.rules()
                .decide(new PublishRules.Facts(
                        topic,
                        will.getQos().getQosNumber(),
                        PublishGate.noRoomToRetain(will, entities.get(0), bridge),
                        payloadBytes,
                        otherBytes,
                        entities,
                        entity -> true,
                        false));
        if (decision instanceof PublishRules.Refuse wrong) {
            return refused(
                    "will_" + wrong.reason().name().toLowerCase(Locale.ROOT), wrong.code(), "will: " + wrong.text());
        }
        EntityId entity = ((PublishRules.Take) decision).entity();
        return new AskedWill(
                Optional.empty(),
                Optional.of(new SpatialWill(
                        client,
                        number,
                        entity,
                        new PublicationRecords(bridge.edge(), bridge.names())
                                .of(
                                        will,
                                        client,
                                        bridge.unreserved(will.getUserProperties()),
                                        bridge.clock().millis()),
                        will.getWillDelay(),
                        payloadBytes + otherBytes)));
    }

    static AskedWill refused(String counted, int code, String reason) {
        return new AskedWill(Optional.of(new RefusedWill(counted, code, reason)), Optional.empty());
    }
}
