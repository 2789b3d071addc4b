package io.hereabouts.replay;

import io.hereabouts.replay.BadLineException.Kind;
import io.hereabouts.replay.EventTimes.Oddity;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.schemas.avro.Publication;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays a file: reads it, sorts it by event time, and sends each row as a publication when it is due. A row that
 * cannot be used is reported and counted, and the rest goes on. Runs on the caller's thread; interrupt it to stop.
 *
 * <p>Metrics: {@code hereabouts.replay.sent}, {@code hereabouts.replay.bad.lines} with tag {@code reason}.
 */
public final class Replay {

    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);

    /** How many bad lines are logged; the rest is counted. */
    private static final int LOGGED = 20;

    private static final long SORTING_STEP = 10_000;

    private final ReplayConfig config;
    private final PublicationSink sink;
    private final PaceClock clock;
    private final ReplayProgress progress;
    private final MeterRegistry metrics;
    private final Counter sentCounter;
    private final Map<String, Long> badLines = new TreeMap<>();
    private final long begun;
    private long timesTwice;
    private long timesShifted;
    private long lines;
    private long sent;
    private @Nullable Pacing pacing;
    private long lastEvent;

    private Replay(
            ReplayConfig config,
            PublicationSink sink,
            PaceClock clock,
            ReplayProgress progress,
            MeterRegistry metrics) {
        this.config = config;
        this.sink = sink;
        this.clock = clock;
        this.progress = progress;
        this.metrics = metrics;
        this.sentCounter = metrics.counter("hereabouts.replay.sent");
        this.begun = clock.nanoTime();
    }

    /**
     * Replays a file to its end and waits until everything was acknowledged. Leaves the sink open.
     *
     * @throws ReplayFailedException if the file cannot be read to its end, or the sink fails; with what was done
     */
    public static ReplayReport run(
            ReplayConfig config, PublicationSink sink, PaceClock clock, ReplayProgress progress, MeterRegistry metrics)
            throws ReplayFailedException, InterruptedException {
        return new Replay(config, sink, clock, progress, metrics).run();
    }

    private ReplayReport run() throws ReplayFailedException, InterruptedException {
        try (RowReader rows = RowReader.open(config.file(), config.mapping(), new Told())) {
            if (config.sorted()) {
                sendInOrderOfFile(rows);
            } else {
                sendSorted(rows);
            }
            sink.flush();
            return report();
        } catch (IOException e) {
            throw new ReplayFailedException("replay stopped after line " + lines + ": " + e.getMessage(), report(), e);
        } catch (SinkFailedException e) {
            throw new ReplayFailedException("replay stopped: " + e.getMessage(), report(), e);
        }
    }

    private void sendInOrderOfFile(RowReader rows) throws IOException, SinkFailedException, InterruptedException {
        for (Reading r = rows.next(); r != null; r = rows.next()) {
            lines = rows.line();
            if (sent > 0 && r.eventTime() < lastEvent) {
                throw new IOException("line " + r.line()
                        + " is earlier than one before it, but the file was said to be sorted by time");
            }
            send(r);
        }
        lines = rows.line();
    }

    private void sendSorted(RowReader rows) throws IOException, SinkFailedException, InterruptedException {
        try (ReadingSort sort = new ReadingSort(config.sortMemory(), config.temporary())) {
            long count = 0;
            for (Reading r = rows.next(); r != null; r = rows.next()) {
                lines = rows.line();
                sort.add(r);
                if (++count % SORTING_STEP == 0) {
                    progress.sorting(count);
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                }
            }
            lines = rows.line();
            sort.finish();
            for (Reading r = sort.take(); r != null; r = sort.take()) {
                send(r);
            }
        }
    }

    private void send(Reading r) throws SinkFailedException, InterruptedException {
        if (pacing == null) {
            pacing = new Pacing(config.speed(), r.eventTime(), clock.nanoTime());
        }
        if (!config.speed().isMax()) {
            long wait = pacing.waitNanos(r.eventTime(), clock.nanoTime());
            if (wait > 0) {
                clock.sleep(wait);
            }
        }
        sink.send(r.entity(), publication(r));
        lastEvent = r.eventTime();
        sent++;
        sentCounter.increment();
        progress.sent(sent, r.eventTime());
    }

    private Publication publication(Reading r) {
        return new Publication(
                r.topic().value(),
                r.publicationId(),
                config.publisher(),
                "",
                config.mapping().qos(),
                false,
                r.eventTime(),
                null,
                1,
                config.mapping().contentType(),
                null,
                null,
                List.of(),
                ByteBuffer.wrap(r.payload().getBytes(StandardCharsets.UTF_8)));
    }

    private ReplayReport report() {
        return new ReplayReport(
                lines,
                badLines,
                sent,
                sink.acknowledged(),
                timesTwice,
                timesShifted,
                pacing == null ? null : pacing.firstEvent(),
                pacing == null ? null : lastEvent,
                Duration.ofNanos(clock.nanoTime() - begun));
    }

    private final class Told implements RowReader.Listener {
        private long bad;

        @Override
        public void badLine(long line, Kind kind, String reason) {
            badLines.merge(kind.tag(), 1L, Long::sum);
            metrics.counter("hereabouts.replay.bad.lines", "reason", kind.tag()).increment();
            if (bad++ < LOGGED) {
                LOG.warn(
                        "{} line {}: {}{}",
                        config.file(),
                        line,
                        reason,
                        bad == LOGGED ? " (further ones are only counted)" : "");
            }
            progress.badLine(line, reason);
        }

        @Override
        public void oddTime(long line, Oddity oddity) {
            boolean first = oddity == Oddity.TWICE ? timesTwice++ == 0 : timesShifted++ == 0;
            if (first) {
                LOG.warn(
                        "{} line {}: local time {}; counted from here on",
                        config.file(),
                        line,
                        oddity == Oddity.TWICE
                                ? "comes twice, the first is taken"
                                : "does not exist, it is shifted by the gap");
            }
        }
    }
}
