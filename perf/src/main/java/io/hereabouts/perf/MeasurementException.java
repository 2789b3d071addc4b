package io.hereabouts.perf;

/** Nothing was measured: something did not start, did not answer, or was refused; the message says what. */
public final class MeasurementException extends Exception {

    private static final long serialVersionUID = 1L;

    public MeasurementException(String message) {
        super(message);
    }

    public MeasurementException(String message, Throwable cause) {
        super(message + ": " + (cause.getMessage() == null ? cause : cause.getMessage()), cause);
    }
}
