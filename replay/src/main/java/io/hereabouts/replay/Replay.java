package io.hereabouts.replay;

import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.schemas.avro.Publication;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replays files: reads them, sorts their rows by event time, and sends each as a publication when it is due. A row that
 * cannot be used is reported and counted, and the rest goes on. Runs on the caller's thread; interrupt it to stop.
 */
public final class Replay {

    private static final String PUBLISHER = "hereabouts-replay";
    private static final long SORTING_STEP = 10_000;

    private final ReplayConfig config;
    private final PublicationSink sink;
    private final PaceClock clock;
    private final ReplayProgress progress;
    private final Tally tally;
    private @Nullable Pacing pacing;

    private Replay(ReplayConfig config, PublicationSink sink, PaceClock clock, ReplayProgress progress, Tally tally) {
        this.config = config;
        this.sink = sink;
        this.clock = clock;
        this.progress = progress;
        this.tally = tally;
    }

    /**
     * Replays the files to their end and waits until everything was acknowledged or refused. Leaves the sink open.
     *
     * @throws InvalidFileException if the mapping does not fit a file; then nothing was sent
     * @throws IOException if the file for rejects cannot be written; then nothing was sent
     * @throws ReplayFailedException if a file cannot be read to its end, the sink fails, or the thread was interrupted;
     *     with what was done until then
     */
    public static ReplayReport run(
            ReplayConfig config, PublicationSink sink, PaceClock clock, ReplayProgress progress, MeterRegistry metrics)
            throws IOException, ReplayFailedException {
        long begun = clock.nanoTime();
        for (Path file : config.files()) {
            RowReader.open(file, 0, config.mapping(), EventWindow.ALL, RowReader.Listener.NONE)
                    .close();
        }
        try (RejectFile rejects = config.rejects() == null ? null : RejectFile.open(config.rejects())) {
            Tally tally = new Tally(progress, rejects, metrics);
            Replay replay = new Replay(config, sink, clock, progress, tally);
            String failure;
            Exception cause;
            try {
                replay.send();
                return replay.report(begun);
            } catch (IOException | SinkFailedException e) {
                failure = String.valueOf(e.getMessage());
                cause = e;
            } catch (InterruptedException e) {
                failure = "interrupted";
                cause = e;
            }
            throw new ReplayFailedException("replay stopped: " + failure, replay.report(begun), cause);
        }
    }

    private ReplayReport report(long begun) {
        return tally.report(sink, pacing == null ? 0 : pacing.pausesCut(), Duration.ofNanos(clock.nanoTime() - begun));
    }

    private void send() throws IOException, SinkFailedException, InterruptedException {
        if (config.sorted()) {
            sendMerged();
        } else {
            sendSorted();
        }
        sink.flush();
    }

    private void sendMerged() throws IOException, SinkFailedException, InterruptedException {
        List<MergedReadings.Opening> openings = new ArrayList<>();
        for (int i = 0; i < config.files().size(); i++) {
            int index = i;
            openings.add(() -> open(index));
        }
        try (Readings merged = MergedReadings.of(openings)) {
            sendAll(merged);
        }
    }

    private void sendSorted() throws IOException, SinkFailedException, InterruptedException {
        try (ReadingSort sort = new ReadingSort(config.sortMemory(), config.temporary())) {
            long count = 0;
            for (int i = 0; i < config.files().size(); i++) {
                try (RowReader rows = open(i)) {
                    for (Reading r = rows.next(); r != null; r = rows.next()) {
                        sort.add(r);
                        if (++count % SORTING_STEP == 0) {
                            progress.sorting(count);
                            stopIfInterrupted();
                        }
                    }
                }
            }
            try (Readings sorted = sort.sorted()) {
                sendAll(sorted);
            }
        }
    }

    private RowReader open(int index) throws IOException {
        return RowReader.open(config.files().get(index), index, config.mapping(), config.window(), tally);
    }

    private void sendAll(Readings readings) throws IOException, SinkFailedException, InterruptedException {
        for (Reading r = readings.next(); r != null; r = readings.next()) {
            if (tally.isOutOfOrder(r.eventTime())) {
                tally.remark(config.files().get(r.file()), r.line(), Remark.OUT_OF_ORDER);
            }
            if (pacing == null) {
                pacing = new Pacing(config.pace(), r.eventTime(), clock.nanoTime());
            }
            long wait = pacing.waitNanos(r.eventTime(), clock.nanoTime());
            if (wait > 0) {
                clock.sleep(wait);
            }
            sink.send(r.entity(), publication(r));
            tally.sent(r.eventTime());
        }
    }

    private static void stopIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private Publication publication(Reading r) {
        return new Publication(
                r.topic().value(),
                r.publicationId(),
                PUBLISHER,
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
}
