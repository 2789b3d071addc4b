package io.hereabouts.schemas.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OpsEndpointTest {

    private static final OpsAddress ANY_PORT = new OpsAddress("127.0.0.1", 0);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ProcessHealth health = new ProcessHealth(List.of("world", "router"), Duration.ofSeconds(1));

    /** Answers what it is told to. */
    private static class Scripted implements HealthCheck {
        private volatile Optional<String> dead = Optional.empty();
        private volatile List<String> notReady = List.of();

        @Override
        public Optional<String> dead() {
            return dead;
        }

        @Override
        public List<String> notReady() {
            return notReady;
        }
    }

    @Test
    void shouldNotBeReadyBeforeTheLastComponentIs() throws Exception {
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(503);

            health.watch("world", new Scripted());
            health.starting("router", "Kafka does not answer");

            HttpResponse<String> starting = get(endpoint, "/health/ready");
            assertThat(starting.statusCode()).isEqualTo(503);
            assertThat(starting.headers().firstValue("content-type")).hasValue("application/json");
            JsonNode body = new ObjectMapper().readTree(starting.body());
            assertThat(body.path("ready").booleanValue()).isFalse();
            assertThat(body.path("components").toString())
                    .isEqualTo(
                            "[{\"component\":\"world\",\"state\":\"ready\",\"reasons\":[]},"
                                    + "{\"component\":\"router\",\"state\":\"not_ready\",\"reasons\":[\"Kafka does not answer\"]}]");

            health.watch("router", new Scripted());
            assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldAskAnewEachTime() throws Exception {
        Scripted router = new Scripted();
        health.watch("world", new Scripted());
        health.watch("router", router);
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(200);

            router.notReady = List.of("rebalances");
            assertThat(get(endpoint, "/health/ready").body()).contains("rebalances");
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);

            router.notReady = List.of();
            assertThat(get(endpoint, "/health/ready").statusCode()).isEqualTo(200);

            router.dead = Optional.of("stopped");
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(503);
            assertThat(get(endpoint, "/health/ready").body()).contains("\"dead\"", "stopped");

            health.stopping();
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
            assertThat(get(endpoint, "/health/ready").body()).contains("is stopping");
        }
    }

    @Test
    void shouldNotHangOrFailWithAComponent() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        health.watch("world", new Scripted() {
            @Override
            public List<String> notReady() {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return List.of();
            }
        });
        health.watch("router", new Scripted() {
            @Override
            public List<String> notReady() {
                throw new IllegalStateException("a bug");
            }
        });
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            HttpResponse<String> answer = get(endpoint, "/health/ready");

            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("does not say within 1000 ms", "a bug");
            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
        } finally {
            never.countDown();
        }
    }

    @Test
    void shouldServeMetricsInPrometheusFormat() throws Exception {
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            endpoint.metrics()
                    .counter("hereabouts.edge.dropped", "reason", "offline", "qos", "0")
                    .increment(3);

            HttpResponse<String> metrics = get(endpoint, "/metrics");

            assertThat(metrics.statusCode()).isEqualTo(200);
            assertThat(metrics.headers().firstValue("content-type"))
                    .hasValue("text/plain; version=0.0.4; charset=utf-8");
            assertThat(metrics.body().lines())
                    .contains("hereabouts_edge_dropped_total{qos=\"0\",reason=\"offline\"} 3.0")
                    .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
                    .anyMatch(line -> line.startsWith("jvm_threads_live_threads "))
                    .anyMatch(line -> line.startsWith("jvm_gc_live_data_size_bytes "));
        }
    }

    @Test
    void shouldTellOfSingleThings() throws Exception {
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            assertThat(get(endpoint, "/clients?id=a").statusCode()).isEqualTo(404);
            endpoint.lookUp(
                    "/clients", id -> Optional.of(id).filter("a/b&c"::equals).map(TextNode::valueOf));

            HttpResponse<String> found = get(endpoint, "/clients?id=a%2Fb%26c");

            assertThat(found.statusCode()).isEqualTo(200);
            assertThat(found.headers().firstValue("content-type")).hasValue("application/json");
            assertThat(found.body().strip()).isEqualTo("\"a/b&c\"");
            assertThat(get(endpoint, "/clients?id=other").statusCode()).isEqualTo(404);
            assertThat(get(endpoint, "/clients?id=a&id=b").statusCode()).isEqualTo(400);
            assertThat(get(endpoint, "/clients").body()).contains("expected /clients?id=…");
            assertThat(get(endpoint, "/").body()).contains("/clients?id=…");
        }
    }

    @Test
    void shouldAnswerNothingElse() throws Exception {
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            assertThat(get(endpoint, "/metricsx").statusCode()).isEqualTo(404);
            assertThat(get(endpoint, "/").statusCode()).isEqualTo(404);
            assertThat(send(request(endpoint, "/metrics").POST(BodyPublishers.ofString("x")))
                            .statusCode())
                    .isEqualTo(405);
            HttpResponse<String> head = send(request(endpoint, "/health/live").method("HEAD", BodyPublishers.noBody()));
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    void shouldSayWhichSettingToChangeWhenThePortIsTaken() throws Exception {
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            OpsAddress taken = new OpsAddress("127.0.0.1", endpoint.port());

            assertThatThrownBy(() -> OpsEndpoint.open(taken, health))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + endpoint.port())
                    .hasMessageContaining("http.port");
        }
        assertThatThrownBy(() -> new OpsAddress("127.0.0.1", 65_536))
                .hasMessage("http.port is 65536, expected 0 to 65535");
    }

    @Test
    @Timeout(60)
    void shouldNotBeHeldUpByClientsThatSendHalfARequest() throws Exception {
        List<Socket> halves = new ArrayList<>();
        try (OpsEndpoint endpoint = OpsEndpoint.open(ANY_PORT, health)) {
            for (int i = 0; i < 8; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().flush();
                halves.add(socket);
            }

            assertThat(get(endpoint, "/health/live").statusCode()).isEqualTo(200);
        } finally {
            for (Socket half : halves) {
                half.close();
            }
        }
    }

    private HttpResponse<String> get(OpsEndpoint endpoint, String path) throws Exception {
        return send(request(endpoint, path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(OpsEndpoint endpoint, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path));
    }
}
