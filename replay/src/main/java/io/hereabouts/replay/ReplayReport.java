package io.hereabouts.replay;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a replay did.
 *
 * @param lines read from the files, headers and empty ones included
 * @param badLines that did not become publications, by reason
 * @param outside rows that are not in the window of event times
 * @param sent publications handed to the sink
 * @param acknowledged of those, by the time the replay ended
 * @param refused of those, by the reason that the other side gave
 * @param remarks rows that became publications but are remarkable, by {@link Remark#tag()}
 * @param pausesCut pauses in event time that were longer than the largest
 * @param firstEvent smallest event time sent, null if nothing was
 * @param lastEvent largest
 * @param took from beginning to end
 */
public record ReplayReport(
        long lines,
        Map<String, Long> badLines,
        long outside,
        long sent,
        long acknowledged,
        Map<String, Long> refused,
        Map<String, Long> remarks,
        long pausesCut,
        @Nullable Instant firstEvent,
        @Nullable Instant lastEvent,
        Duration took) {

    public ReplayReport {
        badLines = Map.copyOf(badLines);
        refused = Map.copyOf(refused);
        remarks = Map.copyOf(remarks);
    }

    /** Bad lines of all reasons. */
    public long bad() {
        return sum(badLines);
    }

    /** Refused publications of all reasons. */
    public long refusedInAll() {
        return sum(refused);
    }

    /** Acknowledged publications a second, reading and sorting included. */
    public double perSecond() {
        return took.isZero() ? 0 : acknowledged * 1e9 / took.toNanos();
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public String toString() {
        return "lines " + lines + ", bad " + bad() + (badLines.isEmpty() ? "" : " " + new TreeMap<>(badLines))
                + (outside == 0 ? "" : ", outside " + outside) + ", sent " + sent + ", acknowledged " + acknowledged
                + (refused.isEmpty() ? "" : ", refused " + refusedInAll() + " " + new TreeMap<>(refused))
                + (remarks.isEmpty() ? "" : ", remarks " + new TreeMap<>(remarks))
                + (pausesCut == 0 ? "" : ", pauses cut " + pausesCut)
                + (firstEvent == null ? "" : ", " + firstEvent + " to " + lastEvent) + ", "
                + String.format(Locale.ROOT, "%.1f s, %.0f/s", took.toNanos() / 1e9, perSecond());
    }
}
