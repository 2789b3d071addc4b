package io.hereabouts.perf.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.replay.mqtt.MqttAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ParametersTest {

    @Test
    void shouldReportAllThatIsOutOfRange() {
        assertThatThrownBy(() -> new E2eParameters(17, 0, 10, 10, 3, 200, 23, 5, 2, 50))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--rate is 0, expected 1 to")
                .hasMessageContaining("--payload is 23, expected 24 to")
                .hasMessageContaining("--qos is 2, expected 0 to 1");
        assertThatThrownBy(() -> new FloodParameters(17, 100, 10, 20, 3, 0, 20_001, 200, 1024))
                .hasMessageContaining("--subscribers is 0, expected 1 to")
                .hasMessageContaining("--crowd is 20001, expected 1 to 20000");
        assertThatThrownBy(() -> new SubscribeParameters(17, 0, 1, 1001))
                .hasMessageContaining("--subscriptions is 0")
                .hasMessageContaining("--entities is 1001");
    }

    @Test
    void shouldWantBothPartsOfARunningStack() {
        MqttAddress edge = MqttAddress.parse("127.0.0.1:1883");

        assertThatThrownBy(() -> new StackChoice("127.0.0.1:9092", null, null, Map.of()))
                .hasMessageContaining("--kafka and --mqtt belong together");
        assertThatThrownBy(() -> new StackChoice(null, edge, null, Map.of()))
                .hasMessageContaining("--kafka and --mqtt belong together");
        assertThat(new StackChoice("127.0.0.1:9092", edge, null, Map.of("topics.prefix", "x.")).parameters())
                .containsEntry("stack", "kafka 127.0.0.1:9092 mqtt 127.0.0.1:1883")
                .containsEntry("topics.prefix", "x.");
    }
}
