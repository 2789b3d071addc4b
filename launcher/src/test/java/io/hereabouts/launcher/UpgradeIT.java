package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.launcher.TestClient.Answer;
import io.hereabouts.launcher.kafka.EmbeddedKafka;
import io.hereabouts.launcher.kafka.WrittenIds;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.testkit.city.CityClients;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.process.Http;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * In the middle of a rolling upgrade to a release whose publications have one field more: an edge and a router of each
 * release, as processes of their own, and publications at both edges. So each edge's publications pass through each router
 * and reach clients of each edge.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeIT {

    private static final int PER_SECOND = 500;
    private static final int PUBLICATIONS = 2_000;

    @TempDir
    static Path folder;

    private final SeededCity city = SeededCity.generate(11, 10);
    private final Started started = new Started();
    private String servers = "";

    @BeforeAll
    void startKafkaAndResolver() throws Exception {
        EmbeddedKafka kafka = started.add(EmbeddedKafka.launch(folder.resolve("kafka"), 0));
        servers = kafka.bootstrapServers();
        started.add(CityResolver.start(servers, city, new SimpleMeterRegistry()));
    }

    @AfterAll
    void stop() {
        started.close();
    }

    @Test
    void shouldLoseNothingWhileTwoReleasesWorkTogether() throws Exception {
        Release before = Release.before(folder.resolve("before"));
        Release after = Release.after(folder.resolve("after"));
        List<ComponentProcess> edges = List.of(edge("old", before), edge("new", after));
        List<ComponentProcess> routers = List.of(
                start("router", Map.of("kafka.bootstrap-servers", servers), before),
                start("router", Map.of("kafka.bootstrap-servers", servers), after));
        for (ComponentProcess router : routers) {
            router.awaitReady();
        }
        CityLoad load = started.add(load(edges));

        Round.Outcome outcome = load.begin(PER_SECOND).finish(PUBLICATIONS);

        Map<Integer, Integer> written = written();
        List<Double> routed = new ArrayList<>();
        for (ComponentProcess router : routers) {
            routed.add(new Http(router.httpPort()).metrics().getOrDefault("hereabouts_router_publications_total", 0.0));
        }
        System.out.printf(
                "upgrade: %s, repeats %d, mean fan-out %.2f, publications by schema id %s, by router %s%n",
                outcome.sums(), outcome.repeats(), outcome.fanOut(), written, routed);
        outcome.assertComplete();
        assertThat(outcome.doubtful()).isZero();
        assertThat(written).containsOnlyKeys(1, Release.NEW_ID);
        assertThat(written.values()).allMatch(count -> count > PUBLICATIONS / 4);
        assertThat(routed).allMatch(count -> count > PUBLICATIONS / 10.0);
    }

    /** Somebody has copied some of the new files only: who publishes must hear that it fails. */
    @Test
    void shouldRefusePublicationsWhereAReleaseIsHalfInstalled() throws Exception {
        ComponentProcess edge = edge("half", Release.halfInstalled(folder.resolve("half-installed")));
        TestClient client = started.add(TestClient.connect(Integer.parseInt(edge.awaitReady()), "half", p -> {}));
        Map<Integer, Integer> before = written();

        Answer answer = client.publish("t", 1, "x", city.centralZone()).get(30, TimeUnit.SECONDS);

        assertThat(answer).isEqualTo(new Answer(0x80, "internal error"));
        assertThat(written()).isEqualTo(before);
    }

    /** How many publications are in Kafka, by schema id. */
    private Map<Integer, Integer> written() throws Exception {
        return WrittenIds.in(KafkaConnection.to(servers), CityResolver.TOPICS.publications());
    }

    private ComponentProcess edge(String id, Release release) {
        return start(
                "edge",
                Map.of(
                        "kafka.bootstrap-servers",
                        servers,
                        "edge.id",
                        id,
                        "mqtt.port",
                        "0",
                        "data",
                        folder.resolve(id).toString()),
                release);
    }

    private ComponentProcess start(String component, Map<String, String> settings, Release release) {
        return started.add(ComponentProcess.start(component, settings, release.classPath()));
    }

    private CityLoad load(List<ComponentProcess> edges) throws Exception {
        int[] ports = new int[edges.size()];
        List<Publisher> publishers = new ArrayList<>();
        for (int e = 0; e < ports.length; e++) {
            ports[e] = Integer.parseInt(edges.get(e).awaitReady());
            publishers.add(Publisher.mqtt(ports[e], CityLoad.publisher(e), 1 + e));
        }
        return new CityLoad(city, CityClients.Weight.FULL, 11, ports, publishers, () -> drops(edges));
    }

    private static Map<String, Long> drops(List<ComponentProcess> edges) throws Exception {
        Map<String, Long> drops = new HashMap<>();
        for (ComponentProcess edge : edges) {
            new Http(edge.httpPort()).metrics().forEach((name, count) -> {
                if (name.startsWith("hereabouts_edge_dropped_total") && !name.contains("qos=\"0\"")) {
                    drops.merge(name, count.longValue(), Long::sum);
                }
            });
        }
        return drops;
    }
}
