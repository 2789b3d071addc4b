package io.hereabouts.perf.process;

import io.hereabouts.perf.MeasurementException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A temporary folder for the data of one measurement; gone when closed. */
public final class WorkFolder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);

    private final Path path;

    private WorkFolder(Path path) {
        this.path = path;
    }

    /** Makes a new one. */
    public static WorkFolder create() throws MeasurementException {
        try {
            return new WorkFolder(Files.createTempDirectory("hereabouts-perf-"));
        } catch (IOException e) {
            throw new MeasurementException("no temporary folder", e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("{} stays: {}", path, e.toString());
        }
    }
}
