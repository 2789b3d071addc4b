package io.hereabouts.cli;

import io.hereabouts.replay.EventWindow;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.Pace;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.Speed;
import io.hereabouts.schemas.settings.DurationConverter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rows {@code replay} publishes, and when. */
final class ReplayOptions {

    @Option(
            names = "--speed",
            paramLabel = "FACTOR",
            defaultValue = "max",
            description = "1: as it happened; 60: a minute a second; max: without waiting; default ${DEFAULT-VALUE}")
    private String speed = "max";

    @Option(
            names = "--max-gap",
            paramLabel = "DURATION",
            description = "cut longer pauses in event time down to this, e.g. 1h")
    private @Nullable String maxGap;

    @Option(names = "--from", paramLabel = "TIME", description = "only rows of this event time and later ones")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "only rows before this event time")
    private @Nullable String to;

    @Option(
            names = "--sorted",
            description =
                    "each file is sorted by time: merge the files without sorting them; a row that is out of order"
                            + " is reported and sent at once")
    private boolean sorted;

    @Option(
            names = "--sort-memory",
            paramLabel = "MIB",
            defaultValue = "64",
            description = "memory for sorting; the rest goes to temporary files; default ${DEFAULT-VALUE}")
    private long sortMemory;

    @Option(
            names = "--rejects",
            paramLabel = "FILE",
            description = "write bad lines to this CSV file: file, line, reason, detail, text; replaces what is there")
    private @Nullable Path rejects;

    boolean keepsRejects() {
        return rejects != null;
    }

    ReplayConfig config(List<Path> files, Mapping mapping) throws InputException {
        Pace pace = Pace.MAX;
        try {
            pace = pace.withSpeed(Speed.parse(speed));
        } catch (IllegalArgumentException e) {
            throw new InputException("--speed: " + e.getMessage());
        }
        try {
            pace = maxGap == null ? pace : pace.withMaxGap(DurationConverter.parse(maxGap));
        } catch (IllegalArgumentException e) {
            throw new InputException("--max-gap: " + e.getMessage());
        }
        try {
            return ReplayConfig.of(files, mapping)
                    .withPace(pace)
                    .withWindow(window(mapping))
                    .withSorted(sorted)
                    .withRejects(rejects)
                    .withSortMemory(sortMemory << 20);
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }

    private EventWindow window(Mapping mapping) throws InputException {
        EventWindow window = EventWindow.ALL;
        try {
            window = from == null ? window : window.from(from, mapping);
        } catch (IllegalArgumentException e) {
            throw new InputException("--from: " + e.getMessage());
        }
        try {
            return to == null ? window : window.to(to, mapping);
        } catch (IllegalArgumentException e) {
            throw new InputException("--to: " + e.getMessage());
        }
    }
}
