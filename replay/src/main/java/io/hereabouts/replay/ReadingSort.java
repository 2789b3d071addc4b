package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts readings by {@link Reading#BY_TIME} in bounded memory: what does not fit is sorted in runs that go to temporary
 * files, and the runs are merged. Add all, then take all; not thread-safe.
 */
final class ReadingSort implements AutoCloseable {

    /** All runs are open at once while they are merged. */
    private static final int MAX_RUNS = 500;

    /** What a reading takes beside its text, about. */
    private static final int OVERHEAD_BYTES = 250;

    private static final int BUFFER_BYTES = 32_768;

    private final long memory;
    private final Path folder;
    private final List<Path> files = new ArrayList<>();
    private final List<DataInputStream> open = new ArrayList<>();
    private final PriorityQueue<Run> runs = new PriorityQueue<>(Comparator.comparing(Run::head, Reading.BY_TIME));
    private List<Reading> fits = new ArrayList<>();
    private long bytes;
    private int taken;

    ReadingSort(long memory, Path folder) {
        this.memory = memory;
        this.folder = folder;
    }

    void add(Reading reading) throws IOException {
        fits.add(reading);
        bytes += OVERHEAD_BYTES
                + reading.payload().length()
                + reading.topic().value().length()
                + reading.entity().value().length();
        if (bytes > memory) {
            spill();
        }
    }

    /** To be called once, after the last {@link #add}. */
    void finish() throws IOException {
        if (files.isEmpty()) {
            fits.sort(Reading.BY_TIME);
            return;
        }
        spill();
        for (Path file : files) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
            open.add(in);
            Reading head = read(in);
            if (head != null) {
                runs.add(new Run(head, in));
            }
        }
    }

    /** The next in order, or null after the last. */
    @Nullable
    Reading take() throws IOException {
        if (files.isEmpty()) {
            return taken < fits.size() ? fits.get(taken++) : null;
        }
        Run run = runs.poll();
        if (run == null) {
            return null;
        }
        Reading next = read(run.rest());
        if (next != null) {
            runs.add(new Run(next, run.rest()));
        }
        return run.head();
    }

    /** How many temporary files were needed. */
    int runFiles() {
        return files.size();
    }

    private void spill() throws IOException {
        if (fits.isEmpty()) {
            return;
        }
        if (files.size() == MAX_RUNS) {
            throw new IOException("more than " + MAX_RUNS + " times the memory for sorting (" + memory
                    + " bytes): give it more, or sort the file by time and say so");
        }
        Path file = Files.createTempFile(folder, "hereabouts-replay-", ".sort");
        files.add(file);
        fits.sort(Reading.BY_TIME);
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES))) {
            for (Reading reading : fits) {
                write(out, reading);
            }
        }
        fits = new ArrayList<>();
        bytes = 0;
    }

    private static void write(DataOutputStream out, Reading r) throws IOException {
        out.writeLong(r.eventTime());
        out.writeLong(r.line());
        for (String text : List.of(r.entity().value(), r.topic().value(), r.publicationId(), r.payload())) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
    }

    private static @Nullable Reading read(DataInputStream in) throws IOException {
        long eventTime;
        try {
            eventTime = in.readLong();
        } catch (EOFException e) {
            return null;
        }
        return new Reading(
                eventTime, in.readLong(), EntityId.of(text(in)), TopicName.parse(text(in)), text(in), text(in));
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        for (DataInputStream in : open) {
            in.close();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    /** A sorted run: its smallest reading, and the rest. */
    private record Run(Reading head, DataInputStream rest) {}
}
