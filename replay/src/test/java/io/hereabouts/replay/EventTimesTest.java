package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.BadLineException.Kind;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final EntityId A = EntityId.of("a");
    private static final EntityId B = EntityId.of("b");

    @ParameterizedTest
    @CsvSource({
        "dd.MM.yyyy H, 01.03.2024 0, 2024-02-29T23:00:00Z",
        "dd.MM.yyyy H, 01.07.2024 23, 2024-07-01T21:00:00Z",
        "dd.MM.uuuu H, 01.07.2024 23, 2024-07-01T21:00:00Z",
        "yyyy-MM-dd HH:mm:ss, 2024-12-31 23:59:59, 2024-12-31T22:59:59Z",
        "dd.MM.yyyy, 29.02.2024, 2024-02-28T23:00:00Z",
        "d MMM yyyy h:mm a, 5 mar 2024 3:30 pm, 2024-03-05T14:30:00Z",
        "yyyy-MM-dd HH:mmXXX, 2024-03-05 12:00+05:30, 2024-03-05T06:30:00Z",
        "iso, 2014-08-25T07:45:00, 2014-08-25T05:45:00Z",
        "iso, 2014-08-25T07:45:00Z, 2014-08-25T07:45:00Z",
        "iso, 2014-08-25T07:45:00.25+01:00, 2014-08-25T06:45:00.250Z",
        "epoch-millis, 1700000000123, 2023-11-14T22:13:20.123Z",
        "epoch-seconds, 1700000000, 2023-11-14T22:13:20Z",
        "epoch-seconds, 1700000000.5, 2023-11-14T22:13:20.500Z",
        "epoch-seconds, 1700000000.123999, 2023-11-14T22:13:20.123Z",
        "epoch-seconds, -0.5, 1969-12-31T23:59:59.500Z",
    })
    void shouldReadTimes(String format, String text, String instant) throws Exception {
        assertThat(time(format, text))
                .isEqualTo(new EventTimes.EventTime(Instant.parse(instant).toEpochMilli(), null));
    }

    @ParameterizedTest
    @CsvSource({
        "dd.MM.yyyy H, 31.02.2024 1",
        "dd.MM.yyyy H, 29.02.2023 1",
        "dd.MM.yyyy H, 01.03.2024 24",
        "dd.MM.yyyy H, 01.03.2024",
        "dd.MM.yyyy H, ''",
        "dd.MM.yyyy H, 01.03.0000 1",
        "iso, 2014-08-25",
        "epoch-millis, 1.5",
        "epoch-millis, 9223372036854775807",
        "epoch-seconds, 1e999999999",
        "epoch-seconds, 999999999999",
        "epoch-seconds, 99999999999999999999999",
        "epoch-seconds, NaN",
    })
    void shouldRefuseWhatIsNoTime(String format, String text) {
        BadLineException e = catchThrowableOfType(BadLineException.class, () -> time(format, text));
        assertThat(e).isNotNull().hasMessageContaining(format).hasMessageContaining(text);
        assertThat(e.kind()).isEqualTo(Kind.TIME);
    }

    @Test
    void shouldRefuseAnHourThatDaylightSavingLeavesOut() {
        BadLineException e = catchThrowableOfType(BadLineException.class, () -> time("dd.MM.yyyy H", "31.03.2024 2"));
        assertThat(e).hasMessageContaining("2024-03-31T02:00 does not exist in Europe/Berlin");
        assertThat(e.kind()).isEqualTo(Kind.TIME_GAP);
    }

    @Test
    void shouldShiftSuchAnHourWhereTheMappingSaysSo() throws Exception {
        EventTimes times = EventTimes.of(List.of("x"), "dd.MM.yyyy H", BERLIN, true, Overlap.ORDER);
        assertThat(of(times, A, new OverlapOrder(), "31.03.2024 2"))
                .isEqualTo(new EventTimes.EventTime(
                        Instant.parse("2024-03-31T01:00:00Z").toEpochMilli(), Remark.GAP_SHIFTED));
        assertThat(of(times, A, new OverlapOrder(), "31.03.2024 3").remark()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"EARLIER, 2024-10-27T00:00:00Z, OVERLAP_EARLIER", "LATER, 2024-10-27T01:00:00Z, OVERLAP_LATER"})
    void shouldTakeAnHourThatComesTwiceAsTheMappingSays(Overlap overlap, String instant, Remark remark)
            throws Exception {
        EventTimes times = EventTimes.of(List.of("x"), "dd.MM.yyyy H", BERLIN, false, overlap);
        for (int i = 0; i < 2; i++) {
            assertThat(of(times, A, new OverlapOrder(), "27.10.2024 2"))
                    .isEqualTo(new EventTimes.EventTime(Instant.parse(instant).toEpochMilli(), remark));
        }
        assertThat(of(times, A, new OverlapOrder(), "27.10.2024 3"))
                .isEqualTo(new EventTimes.EventTime(
                        Instant.parse("2024-10-27T02:00:00Z").toEpochMilli(), null));
    }

    @Test
    void shouldTellTheTwoPassesThroughAnHourByTheOrderOfAnEntitysRows() throws Exception {
        EventTimes times = EventTimes.of(List.of("x"), "dd.MM.yyyy HH:mm", BERLIN, false, Overlap.ORDER);
        OverlapOrder order = new OverlapOrder();
        // a sensor that missed 2:30 in the first pass, and another one in between
        List<String> found = new ArrayList<>();
        for (String minute : List.of("00", "15", "45", "00", "30", "45")) {
            found.add(instant(of(times, A, order, "27.10.2024 02:" + minute)));
        }
        assertThat(instant(of(times, B, order, "27.10.2024 02:30"))).isEqualTo("2024-10-27T00:30:00Z");
        assertThat(instant(of(times, B, order, "27.10.2024 02:30"))).isEqualTo("2024-10-27T01:30:00Z");
        assertThat(found)
                .containsExactly(
                        "2024-10-27T00:00:00Z",
                        "2024-10-27T00:15:00Z",
                        "2024-10-27T00:45:00Z",
                        "2024-10-27T01:00:00Z",
                        "2024-10-27T01:30:00Z",
                        "2024-10-27T01:45:00Z");
        assertThat(instant(of(times, A, order, "29.10.2023 02:00")))
                .as("another year")
                .isEqualTo("2023-10-29T00:00:00Z");
    }

    private static String instant(EventTimes.EventTime time) {
        return Instant.ofEpochMilli(time.millis()).toString();
    }

    @Test
    void shouldJoinColumnsByASpace() throws Exception {
        EventTimes times = EventTimes.of(List.of("day", "hour"), "dd.MM.yyyy H", BERLIN, false, Overlap.ORDER);
        CsvRow row = new CsvRow(Map.of("hour", 0, "day", 1), List.of(" 5 ", "01.03.2024"), false);
        assertThat(times.of(row, A, new OverlapOrder()).millis())
                .isEqualTo(Instant.parse("2024-03-01T04:00:00Z").toEpochMilli());
    }

    @ParameterizedTest
    @CsvSource({"dd.MM", "HH:mm", "foo", "'yyyy", "yyyy MM"})
    void shouldRefuseFormatsThatGiveNoDate(String format) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EventTimes.of(List.of("x"), format, BERLIN, false, Overlap.ORDER));
    }

    private static EventTimes.EventTime time(String format, String text) throws BadLineException {
        EventTimes times = EventTimes.of(List.of("x"), format, BERLIN, false, Overlap.ORDER);
        return of(times, A, new OverlapOrder(), text);
    }

    private static EventTimes.EventTime of(EventTimes times, EntityId entity, OverlapOrder order, String text)
            throws BadLineException {
        return times.of(new CsvRow(Map.of("x", 0), List.of(text), false), entity, order);
    }
}
