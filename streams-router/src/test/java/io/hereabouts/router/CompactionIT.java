package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** Filters are rewritten, removed and compacted all the time while routers load them again and again. */
class CompactionIT {

    private static final int STARTS = 4;
    private static final Duration START = Duration.ofSeconds(60);

    @Test
    void shouldMissNothingWhileFiltersAreCompacted() throws Exception {
        long seed = Long.getLong("hereabouts.router.seed", new Random().nextLong());
        System.out.println("CompactionIT: random seed " + seed);
        TopicCatalogue topics = new TopicCatalogue("compact.", 2, (short) 1, Duration.ofHours(1));
        try (TestKafka broker =
                TestKafka.start(Map.of("log.cleaner.backoff.ms", "50", "log.initial.task.delay.ms", "0"))) {
            KafkaConnection kafka = KafkaConnection.to(broker.bootstrapServers());
            RouterConfig config = RouterConfig.builder(kafka, topics)
                    .commitInterval(Duration.ofMillis(100))
                    .build();
            try (Trial trial = new Trial(kafka, topics, seed)) {
                compactEagerly(kafka, topics);
                AtomicLong skipped = new AtomicLong();
                for (int start = 0; start < STARTS; start++) {
                    CountingLoader counting = new CountingLoader(skipped);
                    try (Router router = Router.launch(config, new SimpleMeterRegistry(), counting::around)) {
                        router.awaitRunning(START);
                        trial.publishSome();
                        for (int i = 0; i < 6; i++) {
                            trial.addNeighborhood();
                            trial.replaceNeighborhood();
                            trial.removeNeighborhood();
                            trial.publishSome();
                        }
                        trial.settle();
                    }
                    trial.publishSome();
                }
                try (Router router = Router.launch(config, new SimpleMeterRegistry())) {
                    router.awaitRunning(START);
                    trial.settle();
                }
                System.out.println("CompactionIT: loads " + STARTS * topics.partitions() + ", records compacted away"
                        + " before or during a load " + skipped + ", " + trial.figures());
                assertThat(trial.missed()).isEmpty();
                trial.assertNothingOutsideFilters();
                assertThat(skipped.get()).as("compaction took place").isPositive();
            }
        }
    }

    private static void compactEagerly(KafkaConnection kafka, TopicCatalogue topics) throws Exception {
        ConfigResource filters = new ConfigResource(ConfigResource.Type.TOPIC, topics.filters());
        List<AlterConfigOp> changes = new ArrayList<>();
        Map.of("segment.ms", "100", "min.compaction.lag.ms", "0", "min.cleanable.dirty.ratio", "0.01")
                .forEach((key, value) ->
                        changes.add(new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET)));
        try (Admin admin = Admin.create(kafka.base("test-compaction"))) {
            admin.incrementalAlterConfigs(Map.of(filters, changes)).all().get();
        }
    }

    /** Compares what a load reads with the offsets it passes: the difference was compacted away. */
    private static final class CountingLoader {
        private final AtomicLong skipped;

        CountingLoader(AtomicLong skipped) {
            this.skipped = skipped;
        }

        FilterLoader around(FilterLoader kafka) {
            return (partition, owner, sink) -> {
                long[] read = {0};
                long own = kafka.load(partition, owner, (key, value, headers) -> {
                    read[0]++;
                    sink.accept(key, value, headers);
                });
                skipped.addAndGet(Math.max(0, own + 1 - read[0]));
                return own;
            };
        }
    }
}
