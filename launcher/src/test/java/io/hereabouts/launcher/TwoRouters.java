package io.hereabouts.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Two router processes that share the partitions; one that is killed is replaced. */
final class TwoRouters implements AutoCloseable {

    /** After so long the partitions of one that is gone or stalled move to the other. */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(6);

    private final Map<String, String> settings = new HashMap<>();
    private final List<ComponentProcess> running = new ArrayList<>();
    private int next;

    private TwoRouters(String kafka, Path folder) {
        settings.put("kafka.bootstrap-servers", kafka);
        settings.put("router.session-timeout", SESSION_TIMEOUT.toSeconds() + "s");
        settings.put("data", folder.resolve("routers").toString());
    }

    /** Returns when both route. */
    static TwoRouters start(String kafka, Path folder) throws Exception {
        TwoRouters routers = new TwoRouters(kafka, folder);
        try {
            routers.running.add(ComponentProcess.start("router", routers.settings));
            routers.running.add(ComponentProcess.start("router", routers.settings));
            for (ComponentProcess router : routers.running) {
                router.awaitReady();
            }
            return routers;
        } catch (Exception e) {
            routers.close();
            throw e;
        }
    }

    /** SIGKILL to one, which is replaced; to the other at the next call. */
    void killOne() {
        int victim = next++ % running.size();
        running.get(victim).kill();
        running.set(victim, ComponentProcess.start("router", settings));
    }

    void killAll() {
        for (ComponentProcess router : running) {
            router.kill();
        }
    }

    @Override
    public void close() {
        running.forEach(ComponentProcess::close);
    }
}
