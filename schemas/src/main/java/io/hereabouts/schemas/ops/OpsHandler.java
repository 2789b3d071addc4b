package io.hereabouts.schemas.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which path answers what. Thread-safe. */
final class OpsHandler implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(OpsHandler.class);
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String JSON = "application/json";
    private static final String ID = "id=";

    private final PrometheusMeterRegistry registry;
    private final ProcessHealth health;
    private final Map<String, Lookup> lookups = new ConcurrentSkipListMap<>();

    private record Answer(int status, String type, String body) {}

    OpsHandler(PrometheusMeterRegistry registry, ProcessHealth health) {
        this.registry = registry;
        this.health = health;
    }

    void lookUp(String path, Lookup lookup) {
        lookups.put(path, lookup);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            Answer answer = head || exchange.getRequestMethod().equals("GET")
                    ? answer(exchange.getRequestURI())
                    : new Answer(405, TEXT, "expected GET\n");
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Answer answer(URI asked) {
        String path = asked.getPath();
        try {
            Lookup lookup = lookups.get(path);
            if (lookup != null) {
                return found(path, lookup, asked.getRawQuery());
            }
            return switch (path) {
                case "/metrics" -> new Answer(200, PROMETHEUS, registry.scrape());
                case "/health/live" -> json("live", health.live());
                case "/health/ready" -> json("ready", health.ready());
                default ->
                    new Answer(
                            404,
                            TEXT,
                            "there are /metrics, /health/live, /health/ready"
                                    + lookups.keySet().stream()
                                            .map(known -> ", " + known + "?id=…")
                                            .collect(Collectors.joining())
                                    + "\n");
            };
        } catch (RuntimeException e) {
            LOG.error("{} failed", path, e);
            return new Answer(500, TEXT, e + "\n");
        }
    }

    private static Answer found(String path, Lookup lookup, @Nullable String query) {
        if (query == null || !query.startsWith(ID) || query.indexOf('&') >= 0) {
            return new Answer(400, TEXT, "expected " + path + "?" + ID + "…\n");
        }
        String id = URLDecoder.decode(query.substring(ID.length()), StandardCharsets.UTF_8);
        return lookup.of(id)
                .map(json -> new Answer(200, JSON, json + "\n"))
                .orElseGet(() -> new Answer(404, TEXT, "there is no such thing here\n"));
    }

    private static Answer json(String question, List<Health> components) {
        boolean fine = components.stream().allMatch(Health::isFine);
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put(question, fine);
        ArrayNode list = body.putArray("components");
        for (Health component : components) {
            ObjectNode entry = list.addObject();
            entry.put("component", component.component());
            entry.put("state", component.state().toString());
            ArrayNode reasons = entry.putArray("reasons");
            component.reasons().forEach(reasons::add);
        }
        return new Answer(fine ? 200 : 503, JSON, body + "\n");
    }
}
