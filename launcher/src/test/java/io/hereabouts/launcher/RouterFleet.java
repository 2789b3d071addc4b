package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.testkit.process.CutableProxy;
import io.hereabouts.testkit.process.Http;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Router processes that share the partitions, each with a line of its own to Kafka. */
final class RouterFleet implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<CutableProxy> lines;
    private final Map<String, String> settings;
    private final List<ComponentProcess> running = new ArrayList<>();

    private RouterFleet(List<CutableProxy> lines, Map<String, String> settings) {
        this.lines = lines;
        this.settings = Map.copyOf(settings);
    }

    /** One router for each line; returns when all of them route. */
    static RouterFleet start(List<CutableProxy> lines, Map<String, String> settings) throws Exception {
        RouterFleet fleet = new RouterFleet(lines, settings);
        try {
            for (int r = 0; r < lines.size(); r++) {
                fleet.running.add(fleet.launch(r));
            }
            fleet.awaitReady();
            return fleet;
        } catch (Exception | AssertionError e) {
            fleet.close();
            throw e;
        }
    }

    private ComponentProcess launch(int router) {
        Map<String, String> own = new HashMap<>(settings);
        own.put("kafka.bootstrap-servers", "127.0.0.1:" + lines.get(router).port());
        return ComponentProcess.start("router", own);
    }

    int size() {
        return running.size();
    }

    CutableProxy line(int router) {
        return lines.get(router);
    }

    ComponentProcess process(int router) {
        return running.get(router);
    }

    /** Puts a new process in the place of one that is gone. */
    void replace(int router) {
        running.set(router, launch(router));
    }

    /** Returns when each of them says that it routes, of itself: none is started anew. */
    void awaitReady() throws Exception {
        for (ComponentProcess router : running) {
            Http http = new Http(router.httpPort());
            await().atMost(PATIENCE).until(() -> http.status("/health/ready") == 200);
            assertThat(http.status("/health/live")).isEqualTo(200);
        }
    }

    /** Pairs of neighborhood and entity that all of them hold. */
    double pairs() throws Exception {
        double pairs = 0;
        for (ComponentProcess router : running) {
            pairs += new Http(router.httpPort()).metrics().getOrDefault("hereabouts_router_pairs", 0.0);
        }
        return pairs;
    }

    @Override
    public void close() {
        running.forEach(ComponentProcess::close);
    }
}
