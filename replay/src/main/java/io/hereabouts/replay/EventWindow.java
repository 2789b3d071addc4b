package io.hereabouts.replay;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.List;

/**
 * The event times to replay. Immutable.
 *
 * @param from the first, milliseconds since 1970-01-01T00:00Z
 * @param to the first that is too late; after {@code from}
 */
public record EventWindow(long from, long to) {

    /** All of them. */
    public static final EventWindow ALL = new EventWindow(Long.MIN_VALUE, Long.MAX_VALUE);

    public EventWindow {
        if (from >= to) {
            throw new IllegalArgumentException(
                    Instant.ofEpochMilli(from) + " is not before " + Instant.ofEpochMilli(to));
        }
    }

    /**
     * From a time on.
     *
     * @param time ISO 8601 with offset, or without, and then in the zone of the mapping; or a date, and then its begin
     * @throws IllegalArgumentException saying what was expected
     */
    public EventWindow from(String time, Mapping mapping) {
        return new EventWindow(millis(time, mapping), to);
    }

    /** Up to a time, but without it; otherwise as {@link #from(String, Mapping)}. */
    public EventWindow to(String time, Mapping mapping) {
        return new EventWindow(from, millis(time, mapping));
    }

    boolean contains(long eventTime) {
        return eventTime >= from && eventTime < to;
    }

    private static long millis(String time, Mapping mapping) {
        TemporalAccessor found = parse(time);
        if (found instanceof ZonedDateTime absolute) {
            return absolute.toInstant().toEpochMilli();
        }
        LocalDateTime local = found instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) found;
        ZoneId zone = mapping.time()
                .localZone()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + time + "' has no offset, and the mapping no time zone; write " + time + "Z for UTC"));
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.size() != 1) {
            throw new IllegalArgumentException("'" + time + "' "
                    + (offsets.isEmpty() ? "does not exist" : "comes twice") + " in " + zone
                    + "; write it with an offset, such as " + local + "+01:00");
        }
        return local.toInstant(offsets.get(0)).toEpochMilli();
    }

    private static TemporalAccessor parse(String time) {
        try {
            return time.indexOf('T') < 0
                    ? LocalDate.parse(time)
                    : DateTimeFormatter.ISO_DATE_TIME.parseBest(time, ZonedDateTime::from, LocalDateTime::from);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + time + "' is no time such as 2024-03-31T05:00, 2024-03-31T05:00+02:00 or 2024-03-31", e);
        }
    }
}
