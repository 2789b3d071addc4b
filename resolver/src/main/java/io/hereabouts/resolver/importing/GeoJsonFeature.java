package io.hereabouts.resolver.importing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A GeoJSON Feature (RFC 7946 §3.2). No state. */
final class GeoJsonFeature {

    private GeoJsonFeature() {}

    static RawFeature read(String position, JsonNode node) {
        String id = isText(node.path("id")) ? node.path("id").asText() : null;
        Map<String, String> properties = new HashMap<>();
        node.path("properties").properties().forEach(property -> {
            JsonNode value = property.getValue();
            if (isText(value)) {
                properties.put(property.getKey(), value.asText());
            } else if (value.isArray() && stream(value).allMatch(GeoJsonFeature::isText)) {
                properties.put(
                        property.getKey(),
                        stream(value).map(JsonNode::asText).collect(Collectors.joining(RawFeature.LIST)));
            }
        });
        if (!node.path("type").asText().equals("Feature")) {
            return RawFeature.bad(position, id, properties, "expected a Feature");
        }
        if (!node.has("geometry")) {
            return RawFeature.bad(position, id, properties, "no geometry");
        }
        try {
            return RawFeature.of(position, id, properties, GeoJsonGeometry.read(node.get("geometry")));
        } catch (IllegalArgumentException e) {
            return RawFeature.bad(position, id, properties, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isText(JsonNode value) {
        return value.isValueNode() && !value.isNull();
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
