package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.bridge.EdgeConfig.Limits;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EdgeConfigTest {

    private static EdgeConfig.Builder builder() {
        return EdgeConfig.builder(
                EdgeId.of("e"), KafkaConnection.to("localhost:9092"), TopicCatalogue.withPartitions(3));
    }

    @Test
    void shouldBeginWithTheDefaults() {
        EdgeConfig config = builder().build();
        assertThat(config.listeners()).isEqualTo(Listeners.tcp("localhost", 0));
        assertThat(config.strictEntities()).isFalse();
        assertThat(config.limits().publishTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.limits().subscribeTimeout()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.limits().window()).isEqualTo(1_000);
        assertThat(config.limits().queue()).isEqualTo(100_000);
        assertThat(config.limits().pendingBytes()).isEqualTo(64L << 20);
        assertThat(config.keepsSessions()).isFalse();
        assertThat(config.limits().retainedBytes()).isEqualTo(64L << 20);
    }

    @Test
    void shouldReportEverythingThatIsWrongTogether() {
        Limits bad = new Limits(
                Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, 0, -1, 0, 0, 0, 0, 0, -1);
        DescriptorLimits large = new DescriptorLimits(524_289, 1, 1, 1, 1);
        assertThatThrownBy(() -> builder()
                        .listen(" ", 70_000)
                        .limits(bad)
                        .descriptors(large)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "mqtt.host is ' '",
                        "mqtt.port is '70000', expected 0 to 65535",
                        "edge.publish-timeout",
                        "edge.subscribe-timeout",
                        "edge.retry",
                        "edge.heartbeat",
                        "edge.compare",
                        "edge.window",
                        "edge.queue-messages",
                        "edge.queue-bytes",
                        "edge.qos0-bytes",
                        "edge.max-payload",
                        "mqtt.max-packet is '0', expected 1048576 to 268435460",
                        "edge.receive-maximum",
                        "edge.plain-queue",
                        "edge.retained-bytes",
                        "neighborhood.max-bytes is '524289', expected at most 524288");
    }
}
