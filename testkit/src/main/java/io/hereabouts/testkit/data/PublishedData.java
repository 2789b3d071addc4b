package io.hereabouts.testkit.data;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Published data sets. They are not part of this repository; the system property {@code hereabouts.data} names their
 * folder. No state.
 */
public final class PublishedData {

    /** System property with the folder of the data. */
    public static final String PROPERTY = "hereabouts.data";

    private PublishedData() {}

    /**
     * The folder of all data if it holds the sub-folder {@code part}; else a line {@code NOT RUN: what (reason)} is
     * printed.
     */
    public static Optional<Path> with(String part, String what) {
        String folder = System.getProperty(PROPERTY, "");
        if (!folder.isEmpty() && Files.isDirectory(Path.of(folder, part))) {
            return Optional.of(Path.of(folder));
        }
        System.out.println("NOT RUN: " + what + " ("
                + (folder.isEmpty() ? "no system property " + PROPERTY : "no " + part + " in " + folder) + ")");
        return Optional.empty();
    }
}
