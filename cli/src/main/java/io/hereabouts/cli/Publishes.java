package io.hereabouts.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** How a received publication is printed. */
final class Publishes {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Publishes() {}

    static String text(Mqtt5Publish publish, boolean verbose) {
        String payload = new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
        return verbose ? publish.getTopic() + " " + payload : payload;
    }

    /** One line of JSON; a payload that is not UTF-8 goes to {@code payloadBase64}. */
    static String json(Mqtt5Publish publish) {
        UserPropertyNames names = UserPropertyNames.DEFAULT;
        ObjectNode node = JSON.createObjectNode();
        node.put("topic", publish.getTopic().toString());
        node.put("qos", publish.getQos().getCode());
        node.put("retain", publish.isRetain());
        ArrayNode ids = JSON.createArrayNode();
        ArrayNode others = JSON.createArrayNode();
        for (Mqtt5UserProperty property : publish.getUserProperties().asList()) {
            String name = property.getName().toString();
            String value = property.getValue().toString();
            if (name.equals(names.neighborhoodId())) {
                ids.add(value);
            } else if (name.equals(names.entity())) {
                node.put("entity", value);
            } else if (name.equals(names.publicationId())) {
                node.put("publicationId", value);
            } else {
                others.add(JSON.createObjectNode().put("name", name).put("value", value));
            }
        }
        node.set("neighborhoodIds", ids);
        node.set("userProperties", others);
        byte[] payload = publish.getPayloadAsBytes();
        try {
            node.put(
                    "payload",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(payload))
                            .toString());
        } catch (CharacterCodingException e) {
            node.put("payloadBase64", Base64.getEncoder().encodeToString(payload));
        }
        try {
            return JSON.writeValueAsString(node);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of strings is always JSON", e);
        }
    }
}
