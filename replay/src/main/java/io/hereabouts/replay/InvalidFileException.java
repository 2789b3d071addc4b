package io.hereabouts.replay;

import java.io.IOException;
import java.nio.file.Path;

/** A file that the mapping does not fit: nothing of it, or of the others, was sent. */
public final class InvalidFileException extends IOException {

    private static final long serialVersionUID = 1L;

    InvalidFileException(Path file, String problem) {
        super(file + ": " + problem);
    }
}
