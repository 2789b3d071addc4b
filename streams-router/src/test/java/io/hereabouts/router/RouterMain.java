package io.hereabouts.router;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A router as a process of its own, to be killed. Waits for a line on standard input before it starts, so that a test can
 * have the JVM ready; ends when standard input does.
 */
final class RouterMain {

    static final String RUNNING = "ROUTER-RUNNING";

    private RouterMain() {}

    /** Commits often and is missed soon, so that a test can kill many. */
    static RouterConfig quick(KafkaConnection kafka, TopicCatalogue topics, Guarantee guarantee) {
        return RouterConfig.builder(kafka, topics)
                .guarantee(guarantee)
                .commitInterval(Duration.ofMillis(100))
                .sessionTimeout(Duration.ofMillis(1500))
                .transactionTimeout(Duration.ofSeconds(3))
                .build();
    }

    /** Bootstrap servers, prefix, partitions, whether it loads, guarantee. */
    public static void main(String[] args) throws Exception {
        TopicCatalogue topics = new TopicCatalogue(args[1], Integer.parseInt(args[2]), (short) 1, Duration.ofHours(1));
        RouterConfig config = quick(KafkaConnection.to(args[0]), topics, Guarantee.valueOf(args[4]));
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
