package io.hereabouts.replay;

import io.hereabouts.replay.BadLineException.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Event times out of columns: the values are joined by a space and read in one format. A local time that daylight saving
 * leaves out is an error of its line, unless the mapping says that the file's clock did not know of the change yet: then
 * it is shifted by the gap, 2:00 becoming 3:00. Of a local time that comes twice the first is taken. Immutable.
 */
public final class EventTimes {

    /** Format: seconds since 1970-01-01T00:00Z, fractions allowed. */
    static final String EPOCH_SECONDS = "epoch-seconds";

    /** Format: milliseconds since 1970-01-01T00:00Z. */
    static final String EPOCH_MILLIS = "epoch-millis";

    /** Format: ISO 8601 such as {@code 2024-03-01T05:00:00}, with or without offset. */
    static final String ISO = "iso";

    private static final Pattern SECONDS = Pattern.compile("-?\\d{1,12}(\\.\\d{1,30})?");
    private static final long EARLIEST =
            LocalDateTime.of(1, 1, 2, 0, 0).toInstant(ZoneOffset.UTC).toEpochMilli();
    private static final long LATEST =
            LocalDateTime.of(9999, 12, 31, 0, 0).toInstant(ZoneOffset.UTC).toEpochMilli();

    private final List<String> columns;
    private final String format;
    private final ZoneId zone;
    private final boolean shiftGaps;
    private final DateTimeFormatter formatter;

    private EventTimes(
            List<String> columns, String format, ZoneId zone, boolean shiftGaps, DateTimeFormatter formatter) {
        this.columns = List.copyOf(columns);
        this.format = format;
        this.zone = zone;
        this.shiftGaps = shiftGaps;
        this.formatter = formatter;
    }

    static boolean needsZone(String format) {
        return !format.equals(EPOCH_SECONDS) && !format.equals(EPOCH_MILLIS);
    }

    /**
     * @param format one of the constants, or a pattern of {@link DateTimeFormatter}
     * @param shiftGaps whether local times that daylight saving leaves out are shifted, else refused
     * @throws IllegalArgumentException if the pattern is none, or does not give a date
     */
    static EventTimes of(List<String> columns, String format, ZoneId zone, boolean shiftGaps) {
        if (!needsZone(format) || format.equals(ISO)) {
            return new EventTimes(columns, format, zone, shiftGaps, DateTimeFormatter.ISO_DATE_TIME);
        }
        // "yyyy" is a year of an era, which strict parsing wants to know
        DateTimeFormatter formatter = new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern(format)
                .parseDefaulting(ChronoField.ERA, 1)
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
        try {
            String sample = formatter.format(ZonedDateTime.of(2024, 3, 1, 5, 0, 0, 0, ZoneOffset.UTC));
            parse(formatter, sample);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + format + "' does not give a date and time: " + e.getMessage(), e);
        }
        return new EventTimes(columns, format, zone, shiftGaps, formatter);
    }

    List<String> columns() {
        return columns;
    }

    EventTime of(Row row) throws BadLineException {
        String text = columns.size() == 1
                ? row.value(columns.get(0)).strip()
                : columns.stream().map(c -> row.value(c).strip()).collect(Collectors.joining(" "));
        try {
            if (format.equals(EPOCH_MILLIS)) {
                return new EventTime(inRange(Long.parseLong(text)), Oddity.NONE);
            }
            if (format.equals(EPOCH_SECONDS)) {
                return new EventTime(inRange(seconds(text)), Oddity.NONE);
            }
            TemporalAccessor found = parse(formatter, text);
            if (found instanceof ZonedDateTime absolute) {
                return new EventTime(inRange(absolute.toInstant().toEpochMilli()), Oddity.NONE);
            }
            return local(found instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) found);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadLineException(
                    Kind.TIME, "time '" + text + "' of " + String.join(", ", columns) + " is not " + format);
        }
    }

    private EventTime local(LocalDateTime local) throws BadLineException {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.isEmpty() && shiftGaps) {
            Instant shifted =
                    local.toInstant(zone.getRules().getTransition(local).getOffsetBefore());
            return new EventTime(inRange(shifted.toEpochMilli()), Oddity.SHIFTED);
        }
        if (offsets.isEmpty()) {
            throw new BadLineException(Kind.TIME_GAP, "time " + local + " does not exist in " + zone);
        }
        Instant first = local.toInstant(offsets.get(0));
        return new EventTime(inRange(first.toEpochMilli()), offsets.size() > 1 ? Oddity.TWICE : Oddity.NONE);
    }

    private static long seconds(String text) {
        if (!SECONDS.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return new BigDecimal(text)
                .movePointRight(3)
                .setScale(0, RoundingMode.FLOOR)
                .longValueExact();
    }

    private static long inRange(long millis) {
        if (millis < EARLIEST || millis > LATEST) {
            throw new DateTimeException("outside the years 1 to 9999");
        }
        return millis;
    }

    private static TemporalAccessor parse(DateTimeFormatter formatter, String text) {
        return formatter.parseBest(text, ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
    }

    /**
     * @param millis since 1970-01-01T00:00Z
     * @param oddity what was odd about the local time
     */
    record EventTime(long millis, Oddity oddity) {}

    /** What daylight saving does to local times that are taken all the same. */
    enum Oddity {
        NONE,
        /** It comes twice; the first was taken. */
        TWICE,
        /** It does not exist; it was shifted by the gap. */
        SHIFTED
    }
}
