package io.hereabouts.replay;

/** A replay that ended early, with what it did until then. */
public final class ReplayFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient ReplayReport report;

    ReplayFailedException(String message, ReplayReport report, Throwable cause) {
        super(message + " (" + report + ")", cause);
        this.report = report;
    }

    /** What was done until then. */
    public ReplayReport report() {
        return report;
    }
}
