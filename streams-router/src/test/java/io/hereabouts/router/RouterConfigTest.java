package io.hereabouts.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
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
    void shouldReportAllThatIsOutOfRangeTogether() {
        assertThatThrownBy(() -> RouterConfig.builder(KAFKA, TOPICS)
                        .applicationId(" ")
                        .threads(0)
                        .guarantee(Guarantee.EXACTLY_ONCE)
                        .commitInterval(Duration.ofSeconds(10))
                        .sessionTimeout(Duration.ofMillis(10))
                        .linger(Duration.ofSeconds(2))
                        .instanceId("")
                        .edgeCheckInterval(Duration.ZERO)
                        .topicCacheBytes(1)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "router.application-id",
                        "router.threads",
                        "router.session-timeout",
                        "router.commit-interval is PT10S, expected less than the transaction timeout of PT4S",
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

        Properties exactly = StreamsSettings.of(RouterConfig.builder(KAFKA, TOPICS)
                .guarantee(Guarantee.EXACTLY_ONCE)
                .build());
        assertThat(exactly)
                .containsEntry("processing.guarantee", "exactly_once_v2")
                .containsEntry("producer.transaction.timeout.ms", 4000);
    }
}
