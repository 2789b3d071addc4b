package io.hereabouts.replay.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MqttAddressTest {

    @ParameterizedTest
    @CsvSource({"a.b:7,a.b,7", "127.0.0.1:1883,127.0.0.1,1883", "[::1]:65535,::1,65535"})
    void shouldRead(String text, String host, int port) {
        MqttAddress address = MqttAddress.parse(text);

        assertThat(address).isEqualTo(new MqttAddress(host, port));
        assertThat(address).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a:", ":7", "a:b", "::1:7", "[::1]", "a:123456"})
    void shouldRefuseWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> MqttAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no address such as localhost:1883");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:0", "a:65536"})
    void shouldRefuseAPortThatDoesNotExist(String text) {
        assertThatThrownBy(() -> MqttAddress.parse(text)).hasMessageContaining("expected 1 to 65535");
    }
}
