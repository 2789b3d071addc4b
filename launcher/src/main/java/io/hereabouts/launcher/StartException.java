package io.hereabouts.launcher;

/** The stack did not start; the message names the step and what went wrong. */
public final class StartException extends Exception {

    private static final long serialVersionUID = 1L;

    StartException(String step, Exception cause) {
        super(step + " did not start: " + (cause.getMessage() == null ? cause : cause.getMessage()), cause);
    }
}
