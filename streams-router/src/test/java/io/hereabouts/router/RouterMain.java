package io.hereabouts.router;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/**
 * A router as a process of its own, to be killed. Waits for a line on standard input before it starts, so that a test can
 * have the JVM ready; ends when standard input does.
 */
final class RouterMain {

    static final String RUNNING = "ROUTER-RUNNING";

    private RouterMain() {}

    /** Bootstrap servers, prefix, partitions, whether it loads, then {@code key=value} settings. */
    public static void main(String[] args) throws Exception {
        Map<String, String> settings = new java.util.HashMap<>();
        for (int i = 4; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        TopicCatalogue topics = new TopicCatalogue(args[1], Integer.parseInt(args[2]), (short) 1, Duration.ofHours(1));
        RouterConfig config = RouterConfig.parse(KafkaConnection.to(args[0]), topics, settings);
        boolean loads = Boolean.parseBoolean(args[3]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (in.readLine() == null) {
            return;
        }
        Router router =
                Router.launch(config, new SimpleMeterRegistry(), kafka -> loads ? kafka : new LoadSwitchedOff(kafka));
        router.awaitRunning(Duration.ofMinutes(1));
        System.out.println(RUNNING);
        while (in.readLine() != null) {
            // lives until the test closes our input or kills us
        }
        Runtime.getRuntime().halt(0);
    }
}
