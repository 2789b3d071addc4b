package io.hereabouts.replay;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What to replay and how. Immutable.
 *
 * @param file CSV, plain or gzip
 * @param mapping of its columns
 * @param speed of event time
 * @param sorted true if the file is in order of event time: it is then read as it goes, and a row that is not in order
 *     ends the replay
 * @param publisher who the publications say they are from
 * @param sortMemory bytes of memory for sorting, at least 1 MiB; what does not fit goes to temporary files
 * @param temporary folder for these files
 */
public record ReplayConfig(
        Path file, Mapping mapping, Speed speed, boolean sorted, String publisher, long sortMemory, Path temporary) {

    /** 64 MiB. */
    public static final long DEFAULT_SORT_MEMORY = 64L << 20;

    private static final long MIN_SORT_MEMORY = 1L << 20;

    public ReplayConfig {
        List<String> problems = new ArrayList<>();
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            problems.add("replay.file: " + file + " is not a file that can be read");
        }
        if (publisher.isBlank()) {
            problems.add("replay.publisher: is blank");
        }
        if (sortMemory < MIN_SORT_MEMORY) {
            problems.add("replay.sort-memory: is " + sortMemory + ", expected at least " + MIN_SORT_MEMORY);
        }
        if (!sorted && !Files.isDirectory(temporary)) {
            problems.add("replay.temporary: " + temporary + " is not a folder");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
    }

    /** As fast as it goes, sorting. */
    public static ReplayConfig of(Path file, Mapping mapping) {
        return new ReplayConfig(
                file,
                mapping,
                Speed.MAX,
                false,
                "hereabouts-replay",
                DEFAULT_SORT_MEMORY,
                Path.of(System.getProperty("java.io.tmpdir", ".")));
    }

    public ReplayConfig withSpeed(Speed value) {
        return new ReplayConfig(file, mapping, value, sorted, publisher, sortMemory, temporary);
    }

    public ReplayConfig withSorted(boolean value) {
        return new ReplayConfig(file, mapping, speed, value, publisher, sortMemory, temporary);
    }

    public ReplayConfig withPublisher(String value) {
        return new ReplayConfig(file, mapping, speed, sorted, value, sortMemory, temporary);
    }

    public ReplayConfig withSortMemory(long bytes, Path folder) {
        return new ReplayConfig(file, mapping, speed, sorted, publisher, bytes, folder);
    }
}
