package io.hereabouts.resolver.importing;

import java.io.IOException;
import java.nio.file.Path;

/** A file of physical entities together with the rules to read it by. */
public interface WorldFile {

    /** Where it is. */
    Path file();

    /**
     * Begins to read at the file's start.
     *
     * @throws IOException if there is no such file or it cannot be read; the message names it
     */
    FeatureReader open() throws IOException;
}
