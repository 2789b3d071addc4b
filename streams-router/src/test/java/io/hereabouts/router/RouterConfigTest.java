package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class RouterConfigTest {

    private static final KafkaConnection KAFKA = KafkaConnection.to("kafka:9092");
    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(4);

    @Test
    void shouldHaveDefaults() {
        RouterConfig config = RouterConfig.defaults(KAFKA, TOPICS);
        assertThat(config.applicationId()).isEqualTo("hereabouts.router");
        assertThat(config.threads()).isEqualTo(1);
        assertThat(config.guarantee()).isEqualTo(Guarantee.AT_LEAST_ONCE);
        assertThat(config.commitInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.sessionTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.linger()).isZero();
        assertThat(config.instanceId()).isEmpty();
        assertThat(config.edgeCheckInterval()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void shouldReadEverySetting() {
        RouterConfig config = RouterConfig.parse(
                KAFKA,
                TOPICS,
                Map.of(
                        "router.application-id", "blue",
                        "router.threads", "3",
                        "router.guarantee", "exactly_once_v2",
                        "router.commit-interval", "100ms",
                        "router.session-timeout", "1m",
                        "router.transaction-timeout", "3s",
                        "router.linger", "1ms",
                        "router.instance-id", "router-0",
                        "router.edge-check-interval", "7s",
                        "router.topic-cache-bytes", "70000"));
        assertThat(config.applicationId()).isEqualTo("blue");
        assertThat(config.threads()).isEqualTo(3);
        assertThat(config.guarantee()).isEqualTo(Guarantee.EXACTLY_ONCE);
        assertThat(config.commitInterval()).isEqualTo(Duration.ofMillis(100));
        assertThat(config.sessionTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(config.transactionTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(config.linger()).isEqualTo(Duration.ofMillis(1));
        assertThat(config.instanceId()).contains("router-0");
        assertThat(config.edgeCheckInterval()).isEqualTo(Duration.ofSeconds(7));
        assertThat(config.topicCacheBytes()).isEqualTo(70_000);
    }

    @Test
    void shouldReportAllThatCannotBeReadTogether() {
        assertThatThrownBy(() -> RouterConfig.parse(
                        KAFKA,
                        TOPICS,
                        Map.of(
                                "router.threads", "many",
                                "router.guarantee", "perhaps_once",
                                "router.linger", "5",
                                "router.tread", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "router.threads is 'many'",
                        "router.guarantee is 'perhaps_once': expected at_least_once or exactly_once_v2",
                        "router.linger is '5': expected a duration",
                        "router.tread is not a setting");
    }

    @Test
    void shouldReportAllThatIsOutOfRangeTogether() {
        assertThatThrownBy(() -> RouterConfig.parse(
                        KAFKA,
                        TOPICS,
                        Map.of(
                                "router.application-id", " ",
                                "router.threads", "0",
                                "router.guarantee", "exactly_once_v2",
                                "router.commit-interval", "10s",
                                "router.session-timeout", "10ms",
                                "router.linger", "2s",
                                "router.instance-id", "",
                                "router.edge-check-interval", "0ms",
                                "router.topic-cache-bytes", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "router.application-id",
                        "router.threads",
                        "router.session-timeout",
                        "router.transaction-timeout",
                        "router.linger",
                        "router.instance-id",
                        "router.edge-check-interval",
                        "router.topic-cache-bytes");
    }

    @Test
    void shouldTellKafkaStreamsWhatCorrectnessNeeds() {
        Properties once = StreamsSettings.of(RouterConfig.defaults(KAFKA, TOPICS));
        assertThat(once)
                .containsEntry("processing.guarantee", "at_least_once")
                .containsEntry("max.task.idle.ms", -1L)
                .containsEntry("num.standby.replicas", 0)
                .containsEntry("group.protocol", "classic")
                .containsEntry("main.consumer.auto.offset.reset", "none")
                .containsEntry("producer.linger.ms", 0)
                .doesNotContainKey("main.consumer.group.instance.id");
        assertThat(once.get("task.assignor.class")).asString().endsWith(".StickyTaskAssignor");

        Properties exactly =
                StreamsSettings.of(RouterConfig.parse(KAFKA, TOPICS, Map.of("router.guarantee", "exactly_once_v2")));
        assertThat(exactly)
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("producer.transaction.timeout.ms", 4000);
    }
}
