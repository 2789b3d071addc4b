package io.hereabouts.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Input that the user must correct: exit code 2. */
final class InputException extends Exception {

    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }

    /** What is wrong with a file that cannot be read, for a person. */
    static InputException unreadable(Object file, IOException e) {
        return new InputException(file + ": cannot be read: " + why(e, "no such file"));
    }

    /** What is wrong with a file that cannot be written, for a person. */
    static InputException unwritable(Object file, IOException e) {
        return new InputException(file + ": cannot be written: " + why(e, "no such folder"));
    }

    private static String why(IOException e, String missing) {
        return e instanceof NoSuchFileException
                ? missing
                : e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }
}
