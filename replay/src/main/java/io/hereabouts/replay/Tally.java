package io.hereabouts.replay;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what becomes of lines and tells of what is wrong with them. Metrics: {@code hereabouts.replay.sent},
 * {@code hereabouts.replay.bad.lines} with tag {@code reason}, {@code hereabouts.replay.remarks} with tag {@code kind}.
 * Not thread-safe.
 */
final class Tally implements RowReader.Listener {

    private final ReplayProgress progress;
    private final @Nullable RejectFile rejects;
    private final MeterRegistry metrics;
    private final Counter sentCounter;
    private final Map<String, Long> badLines = new TreeMap<>();
    private final Map<String, Long> remarks = new TreeMap<>();
    private long lines;
    private long outside;
    private long sent;
    private long firstEvent = Long.MAX_VALUE;
    private long lastEvent = Long.MIN_VALUE;

    Tally(ReplayProgress progress, @Nullable RejectFile rejects, MeterRegistry metrics) {
        this.progress = progress;
        this.rejects = rejects;
        this.metrics = metrics;
        this.sentCounter = metrics.counter("hereabouts.replay.sent");
    }

    @Override
    public void line() {
        lines++;
    }

    @Override
    public void outside() {
        outside++;
    }

    @Override
    public void badLine(Path file, Charset encoding, long line, BadLineException why, byte[] text) throws IOException {
        String reason = why.kind().tag();
        badLines.merge(reason, 1L, Long::sum);
        metrics.counter("hereabouts.replay.bad.lines", "reason", reason).increment();
        String detail = String.valueOf(why.getMessage());
        if (rejects != null) {
            rejects.add(file, encoding, line, why.kind(), detail, text);
        }
        progress.badLine(file, line, detail);
    }

    @Override
    public void remark(Path file, long line, Remark remark) {
        remarks.merge(remark.tag(), 1L, Long::sum);
        metrics.counter("hereabouts.replay.remarks", "kind", remark.tag()).increment();
        progress.remark(file, line, remark);
    }

    /** Whether an event time is earlier than one that was sent. */
    boolean isOutOfOrder(long eventTime) {
        return eventTime < lastEvent;
    }

    void sent(long eventTime) {
        firstEvent = Math.min(firstEvent, eventTime);
        lastEvent = Math.max(lastEvent, eventTime);
        sent++;
        sentCounter.increment();
        progress.sent(sent, eventTime);
    }

    ReplayReport report(PublicationSink sink, long pausesCut, Duration took) {
        return new ReplayReport(
                lines,
                badLines,
                outside,
                sent,
                sink.acknowledged(),
                sink.refused(),
                remarks,
                pausesCut,
                sent == 0 ? null : Instant.ofEpochMilli(firstEvent),
                sent == 0 ? null : Instant.ofEpochMilli(lastEvent),
                took);
    }
}
