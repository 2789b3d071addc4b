package io.hereabouts.cli;

/** Input that the user must correct: exit code 2. */
final class InputException extends Exception {

    private static final long serialVersionUID = 1L;

    InputException(String message) {
        super(message);
    }
}
