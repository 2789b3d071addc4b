package io.hereabouts.replay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to replay and how. Immutable.
 *
 * @param files CSV or NDJSON, plain or gzip; at least one
 * @param mapping of their columns
 * @param pace of event time
 * @param window of event times; rows outside are passed over
 * @param sorted true if each file is in order of event time: they are then merged as they are read
 * @param rejects where bad lines go, see {@code docs/replay.md}; null for nowhere
 * @param sortMemory bytes of memory for sorting, at least 1 MiB; what does not fit goes to temporary files
 * @param temporary folder for these files
 */
public record ReplayConfig(
        List<Path> files,
        Mapping mapping,
        Pace pace,
        EventWindow window,
        boolean sorted,
        @Nullable Path rejects,
        long sortMemory,
        Path temporary) {

    /** 64 MiB. */
    public static final long DEFAULT_SORT_MEMORY = 64L << 20;

    private static final long MIN_SORT_MEMORY = 1L << 20;

    public ReplayConfig {
        files = List.copyOf(files);
        List<String> problems = new ArrayList<>();
        if (files.isEmpty()) {
            problems.add("expected at least one file");
        }
        for (Path file : files) {
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                problems.add(file + ": is not a file that can be read");
            } else {
                check(file, mapping, rejects, problems);
            }
        }
        if (sortMemory < MIN_SORT_MEMORY) {
            problems.add("memory for sorting is " + sortMemory + " bytes, expected at least " + (MIN_SORT_MEMORY >> 20)
                    + " MiB");
        }
        if (!sorted && !Files.isDirectory(temporary)) {
            problems.add(temporary + ": is not a folder, temporary files for sorting go there");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }

    private static void check(Path file, Mapping mapping, @Nullable Path rejects, List<String> problems) {
        try {
            var unused = mapping.fileColumns().of(file);
            if (rejects != null && Files.exists(rejects) && Files.isSameFile(file, rejects)) {
                problems.add(file + ": is also the file for rejects");
            }
        } catch (IllegalArgumentException | IOException e) {
            problems.add(file + ": " + e.getMessage());
        }
    }

    /** All rows as fast as it goes, sorting. */
    public static ReplayConfig of(List<Path> files, Mapping mapping) {
        return new ReplayConfig(
                files,
                mapping,
                Pace.MAX,
                EventWindow.ALL,
                false,
                null,
                DEFAULT_SORT_MEMORY,
                Path.of(System.getProperty("java.io.tmpdir", ".")));
    }

    public ReplayConfig withPace(Pace value) {
        return new ReplayConfig(files, mapping, value, window, sorted, rejects, sortMemory, temporary);
    }

    public ReplayConfig withWindow(EventWindow value) {
        return new ReplayConfig(files, mapping, pace, value, sorted, rejects, sortMemory, temporary);
    }

    public ReplayConfig withSorted(boolean value) {
        return new ReplayConfig(files, mapping, pace, window, value, rejects, sortMemory, temporary);
    }

    public ReplayConfig withRejects(@Nullable Path value) {
        return new ReplayConfig(files, mapping, pace, window, sorted, value, sortMemory, temporary);
    }

    public ReplayConfig withSortMemory(long bytes) {
        return new ReplayConfig(files, mapping, pace, window, sorted, rejects, bytes, temporary);
    }

    public ReplayConfig withTemporary(Path folder) {
        return new ReplayConfig(files, mapping, pace, window, sorted, rejects, sortMemory, folder);
    }
}
