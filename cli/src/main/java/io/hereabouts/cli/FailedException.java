package io.hereabouts.cli;

/** Something outside did not work out: exit code 1. */
final class FailedException extends Exception {

    private static final long serialVersionUID = 1L;

    FailedException(String message) {
        super(message);
    }
}
