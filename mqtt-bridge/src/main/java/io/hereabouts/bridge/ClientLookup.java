package io.hereabouts.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hereabouts.bridge.loop.ClientReport;
import io.hereabouts.schemas.ops.Lookup;
import java.time.Instant;
import java.util.Optional;

/** {@code /clients?id=ID}: what an edge knows of a client. */
public record ClientLookup(Edge edge) implements Lookup {

    /** Where it is asked. */
    public static final String PATH = "/clients";

    @Override
    public Optional<JsonNode> of(String client) {
        return edge.client(client).map(ClientLookup::json);
    }

    private static JsonNode json(ClientReport report) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("client", report.client())
                .put("connected", report.connected());
        ArrayNode subscriptions = json.putArray("subscriptions");
        report.subscriptions().forEach(s -> subscriptions
                .addObject()
                .put("topicFilter", s.filter().text())
                .put("neighborhoodId", s.id())
                .put("qos", s.options().qos()));
        json.putObject("deliveries")
                .put("withBroker", report.backlog().withBroker())
                .put("waiting", report.backlog().waiting())
                .put("waitingBytes", report.backlog().waitingBytes());
        report.lastDrop().ifPresent(drop -> json.putObject("lastDrop")
                .put("reason", drop.reason())
                .put("qos", drop.qos())
                .put("at", Instant.ofEpochMilli(drop.at()).toString()));
        return json;
    }
}
