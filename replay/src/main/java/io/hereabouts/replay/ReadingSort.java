package io.hereabouts.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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

    private final long memory;
    private final Path folder;
    private final List<Path> files = new ArrayList<>();
    private List<Reading> fits = new ArrayList<>();
    private long bytes;

    /** @param memory bytes, about */
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

    /** All that was added, in order; to be called once, and to be read before this is closed. */
    Readings sorted() throws IOException {
        if (files.isEmpty()) {
            fits.sort(Reading.BY_TIME);
            return new Listed(fits.iterator());
        }
        spill();
        List<MergedReadings.Opening> runs = new ArrayList<>();
        for (Path file : files) {
            runs.add(() -> SortRun.open(file));
        }
        return MergedReadings.of(runs);
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
            throw new IOException("more than " + MAX_RUNS + " times the memory for sorting (" + (memory >> 20)
                    + " MiB): give it more, or sort each file by time and say so");
        }
        Path file = Files.createTempFile(folder, "hereabouts-replay-", ".sort");
        files.add(file);
        fits.sort(Reading.BY_TIME);
        SortRun.write(file, fits);
        fits = new ArrayList<>();
        bytes = 0;
    }

    @Override
    public void close() throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    private record Listed(Iterator<Reading> rest) implements Readings {
        @Override
        public @Nullable Reading next() {
            return rest.hasNext() ? rest.next() : null;
        }

        @Override
        public void close() {}
    }
}
