package io.hereabouts.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResolverConfigTest {

    private static final KafkaConnection KAFKA = KafkaConnection.to("localhost:9092");
    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(3);

    @Test
    void shouldHaveDefaults() {
        assertThat(ResolverConfig.withDefaults(KAFKA, TOPICS))
                .isEqualTo(new ResolverConfig(
                        KAFKA,
                        TOPICS,
                        "hereabouts.resolver",
                        2,
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(10),
                        10_000,
                        Duration.ofHours(1)));
    }

    @Test
    void shouldReportEverythingThatIsWrong() {
        assertThatThrownBy(() -> new ResolverConfig(
                        KAFKA,
                        TOPICS,
                        " ",
                        0,
                        Duration.ofMillis(-1),
                        Duration.ofMillis(999),
                        0,
                        Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "resolver.group is blank",
                        "resolver.threads is 0",
                        "neighborhood.linger is PT-0.001S",
                        "resolver.session-timeout is PT0.999S",
                        "resolver.max-pending is 0",
                        "edge.expiry is PT0.999S, expected at least PT1S");
    }
}
