package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.BadLineException.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
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
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Event times out of columns: the values are joined by a space and read in one format. A local time that daylight saving
 * leaves out is an error of its line, unless the mapping says that the file's clock did not know of the change yet: then
 * it is shifted by the gap, 2:00 becoming 3:00. A local time that comes twice is resolved by an {@link Overlap}. Immutable.
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
    private final Overlap overlap;
    private final DateTimeFormatter formatter;

    private EventTimes(
            List<String> columns,
            String format,
            ZoneId zone,
            boolean shiftGaps,
            Overlap overlap,
            DateTimeFormatter formatter) {
        this.columns = List.copyOf(columns);
        this.format = format;
        this.zone = zone;
        this.shiftGaps = shiftGaps;
        this.overlap = overlap;
        this.formatter = formatter;
    }

    static boolean needsZone(String format) {
        return !format.equals(EPOCH_SECONDS) && !format.equals(EPOCH_MILLIS);
    }

    /**
     * @param format one of the constants, or a pattern of {@link DateTimeFormatter}
     * @param shiftGaps whether local times that daylight saving leaves out are shifted, else refused
     * @param overlap what local times are that come twice
     * @throws IllegalArgumentException if the pattern is none, or does not give a date
     */
    static EventTimes of(List<String> columns, String format, ZoneId zone, boolean shiftGaps, Overlap overlap) {
        if (!needsZone(format) || format.equals(ISO)) {
            return new EventTimes(columns, format, zone, shiftGaps, overlap, DateTimeFormatter.ISO_DATE_TIME);
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
        return new EventTimes(columns, format, zone, shiftGaps, overlap, formatter);
    }

    List<String> columns() {
        return columns;
    }

    /** The zone of local times; empty where there are none. */
    Optional<ZoneId> localZone() {
        return needsZone(format) ? Optional.of(zone) : Optional.empty();
    }

    /**
     * @param entity of the row
     * @param order of the rows of its file
     */
    EventTime of(Row row, EntityId entity, OverlapOrder order) throws BadLineException {
        String text = text(row);
        try {
            if (format.equals(EPOCH_MILLIS)) {
                return new EventTime(inRange(Long.parseLong(text)), null);
            }
            if (format.equals(EPOCH_SECONDS)) {
                return new EventTime(inRange(seconds(text)), null);
            }
            TemporalAccessor found = parse(formatter, text);
            if (found instanceof ZonedDateTime absolute) {
                return new EventTime(inRange(absolute.toInstant().toEpochMilli()), null);
            }
            LocalDateTime local = found instanceof LocalDate date ? date.atStartOfDay() : (LocalDateTime) found;
            return local(local, entity, order);
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new BadLineException(
                    Kind.TIME, "time '" + text + "' of " + String.join(", ", columns) + " is not " + format);
        }
    }

    private String text(Row row) throws BadLineException {
        StringBuilder joined = new StringBuilder();
        for (String column : columns) {
            joined.append(joined.isEmpty() ? "" : " ").append(row.text(column).strip());
        }
        return joined.toString();
    }

    private EventTime local(LocalDateTime local, EntityId entity, OverlapOrder order) throws BadLineException {
        ZoneOffsetTransition change = zone.getRules().getTransition(local);
        if (change == null) {
            return at(local, zone.getRules().getOffset(local), null);
        }
        if (change.isGap()) {
            if (!shiftGaps) {
                throw new BadLineException(Kind.TIME_GAP, "time " + local + " does not exist in " + zone);
            }
            return at(local, change.getOffsetBefore(), Remark.GAP_SHIFTED);
        }
        boolean later =
                switch (overlap) {
                    case EARLIER -> false;
                    case LATER -> true;
                    case ORDER -> order.isSecond(entity, change, local);
                };
        return later
                ? at(local, change.getOffsetAfter(), Remark.OVERLAP_LATER)
                : at(local, change.getOffsetBefore(), Remark.OVERLAP_EARLIER);
    }

    private static EventTime at(LocalDateTime local, ZoneOffset offset, @Nullable Remark remark) {
        return new EventTime(inRange(local.toInstant(offset).toEpochMilli()), remark);
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
     * @param remark what daylight saving did to it, null for nothing
     */
    record EventTime(long millis, @Nullable Remark remark) {}
}
