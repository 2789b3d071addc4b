package io.hereabouts.resolver.importing;

import java.io.IOException;
import java.util.List;

/** A file of physical entities, or something else to read them from, together with the rules to read it by. */
public interface WorldFile {

    /** What it is called where people are told about it. */
    String name();

    /** What ids begin with: each with one of these. Empty if nothing is known about them. */
    List<String> idPrefixes();

    /**
     * Begins to read at the file's start.
     *
     * @throws IOException if there is no such file or it cannot be read; the message names it
     */
    FeatureReader open(ReadProgress progress) throws IOException;

    /** The same, and nobody is told how it goes. */
    default FeatureReader open() throws IOException {
        return open(ReadProgress.NONE);
    }
}
