package io.hereabouts.replay;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a replay did.
 *
 * @param lines read from the file, the header included
 * @param badLines that did not become publications, by reason
 * @param sent publications handed to the sink
 * @param acknowledged of those, by the time the replay ended
 * @param timesTwice rows whose local time comes twice; the first was taken
 * @param timesShifted rows whose local time does not exist and was shifted, as the mapping says
 * @param firstEvent smallest event time sent, milliseconds since 1970-01-01T00:00Z, null if nothing was
 * @param lastEvent largest
 * @param took from beginning to end
 */
public record ReplayReport(
        long lines,
        Map<String, Long> badLines,
        long sent,
        long acknowledged,
        long timesTwice,
        long timesShifted,
        @Nullable Long firstEvent,
        @Nullable Long lastEvent,
        Duration took) {

    public ReplayReport {
        badLines = Map.copyOf(badLines);
    }

    /** Bad lines of all reasons. */
    public long bad() {
        return badLines.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Acknowledged publications a second, reading and sorting included. */
    public double perSecond() {
        return took.isZero() ? 0 : acknowledged * 1e9 / took.toNanos();
    }

    @Override
    public String toString() {
        return "lines " + lines + ", bad " + bad() + (badLines.isEmpty() ? "" : " " + new TreeMap<>(badLines))
                + ", sent " + sent + ", acknowledged " + acknowledged
                + (timesTwice == 0 ? "" : ", times that come twice " + timesTwice)
                + (timesShifted == 0 ? "" : ", times shifted out of a gap " + timesShifted) + ", "
                + String.format(java.util.Locale.ROOT, "%.1f s, %.0f/s", took.toNanos() / 1e9, perSecond());
    }
}
