package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventWindowTest {

    @ParameterizedTest
    @CsvSource({
        "2024-03-31T02:00:00Z, 2024-03-31T02:00:00Z",
        "2024-03-31T02:30+05:30, 2024-03-30T21:00:00Z",
        "2024-03-31T03:00, 2024-03-31T01:00:00Z",
        "2024-03-31T01:00:00.5, 2024-03-31T00:00:00.500Z",
        "2024-03-31, 2024-03-30T23:00:00Z",
        "2024-10-27T02:00+01:00, 2024-10-27T01:00:00Z",
    })
    void shouldReadInstantsAndTimesInTheZoneOfTheMapping(String text, String instant) throws Exception {
        long millis = Instant.parse(instant).toEpochMilli();
        EventWindow from = EventWindow.ALL.from(text, berlin());
        assertThat(from.contains(millis)).isTrue();
        assertThat(from.contains(millis - 1)).isFalse();
        EventWindow to = EventWindow.ALL.to(text, berlin());
        assertThat(to.contains(millis)).isFalse();
        assertThat(to.contains(millis - 1)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "yesterday, is no time such as",
        "2024-02-30, is no time such as",
        "31.03.2024, is no time such as",
        "2024-03-31T02:30, does not exist in Europe/Berlin",
        "2024-10-27T02:30, comes twice in Europe/Berlin",
        "'', is no time such as",
    })
    void shouldRefuseOtherTimesAndThoseThatAreNotOneInstant(String text, String problem) throws Exception {
        Mapping mapping = berlin();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventWindow.ALL.from(text, mapping))
                .withMessageContaining("'" + text + "'")
                .withMessageContaining(problem);
    }

    @Test
    void shouldRefuseAnEmptyWindowAndLocalTimesWithoutAZone() throws Exception {
        Mapping epoch = mapping("\"format\": \"epoch-millis\"");
        EventWindow from = EventWindow.ALL.from("2024-03-31T02:00Z", epoch);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> from.to("2024-03-31T02:00Z", epoch))
                .withMessageContaining("is not before");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventWindow.ALL.from("2024-03-31T02:00", epoch))
                .withMessageContaining("the mapping no time zone");
    }

    private static Mapping berlin() throws InvalidMappingException {
        return mapping("\"format\": \"iso\", \"zone\": \"Europe/Berlin\"");
    }

    private static Mapping mapping(String time) throws InvalidMappingException {
        return Mapping.parse("{\"entity\": \"{id}\", \"topic\": \"t\", \"payload\": {\"template\": \"\u00fc{id}\"},"
                + " \"time\": {\"columns\": [\"at\"], " + time + "}}");
    }
}
