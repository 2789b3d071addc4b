package io.hereabouts.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of MQTT 5.0 §4.7. */
class TopicsTest {

    @ParameterizedTest
    @CsvSource({
        "sport/tennis/player1/#, sport/tennis/player1, true",
        "sport/tennis/player1/#, sport/tennis/player1/ranking, true",
        "sport/tennis/player1/#, sport/tennis/player1/score/wimbledon, true",
        "sport/#, sport, true",
        "#, sport/x, true",
        "#, /, true",
        "#, $SYS, false",
        "sport/tennis/+, sport/tennis/player1, true",
        "sport/tennis/+, sport/tennis/player1/ranking, false",
        "sport/+, sport, false",
        "sport/+, sport/, true",
        "+/+, /finance, true",
        "/+, /finance, true",
        "+, /finance, false",
        "+/monitor/Clients, $SYS/monitor/Clients, false",
        "$SYS/#, $SYS/, true",
        "$SYS/monitor/+, $SYS/monitor/Clients, true",
        "a/b, a/b/c, false",
        "a/b/c, a/b, false",
        "a/B, a/b, false",
        "a//c, a/b/c, false",
        "a/+/c, a//c, true",
    })
    void shouldMatchAsTheSpecificationSays(String filter, String name, boolean expected) {
        assertThat(Topics.matches(filter, name)).isEqualTo(expected);
    }
}
