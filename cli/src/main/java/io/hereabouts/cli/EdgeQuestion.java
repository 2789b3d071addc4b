package io.hereabouts.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.hereabouts.bridge.ClientLookup;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What an edge says of a client, over HTTP. */
final class EdgeQuestion {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int FOUND = 200;
    private static final int NONE = 404;

    /**
     * What was said.
     *
     * @param report of the client; JSON's null if there is none
     * @param text the same for a reader, or why there is none
     */
    record Answer(JsonNode report, String text) {}

    private EdgeQuestion() {}

    /**
     * Where it is asked.
     *
     * @throws IllegalArgumentException if that is no {@code host:port}
     */
    static URI at(String address) {
        URI uri = URI.create("http://" + address.strip());
        if (uri.getHost() == null || uri.getPort() < 0 || !uri.getPath().isEmpty()) {
            throw new IllegalArgumentException("--edge-http is '" + address + "', expected HOST:PORT");
        }
        return uri;
    }

    static Answer ask(URI edge, String client) throws InterruptedException {
        URI url = edge.resolve(ClientLookup.PATH);
        try {
            HttpResponse<String> answer = HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .build()
                    .send(
                            HttpRequest.newBuilder(URI.create(
                                            url + "?id=" + URLEncoder.encode(client, StandardCharsets.UTF_8)))
                                    .timeout(PATIENCE)
                                    .build(),
                            BodyHandlers.ofString());
            return switch (answer.statusCode()) {
                case FOUND -> told(url, new ObjectMapper().readTree(answer.body()));
                case NONE -> silent(url + " knows no such client, or is no edge");
                default ->
                    silent(url + " answers " + answer.statusCode() + ": "
                            + answer.body().strip());
            };
        } catch (JsonProcessingException e) {
            return silent(url + " does not answer in JSON");
        } catch (IOException e) {
            return silent(url + " does not answer (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static Answer told(URI url, JsonNode report) {
        JsonNode deliveries = report.path("deliveries");
        JsonNode drop = report.path("lastDrop");
        return new Answer(
                report,
                url + ": " + (report.path("connected").asBoolean() ? "connected" : "not connected") + ", "
                        + report.path("subscriptions").size() + " active subscriptions, "
                        + deliveries.path("withBroker").asInt() + " deliveries not acknowledged, "
                        + deliveries.path("waiting").asInt() + " waiting, last dropped: "
                        + (drop.isMissingNode()
                                ? "none"
                                : drop.path("reason").asText() + ", QoS "
                                        + drop.path("qos").asInt() + ", at "
                                        + drop.path("at").asText()));
    }

    private static Answer silent(String why) {
        return new Answer(NullNode.getInstance(), why + "; --edge-http names where an edge has its metrics and health");
    }
}
