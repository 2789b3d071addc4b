package io.hereabouts.replay;

/** Told how a replay goes, on the thread that replays. Must return quickly. */
public interface ReplayProgress {

    /** Says nothing to anybody. */
    ReplayProgress SILENT = new ReplayProgress() {};

    /**
     * A line did not become a publication.
     *
     * @param line number in the file, from 1
     * @param reason what was expected and found
     */
    default void badLine(long line, String reason) {}

    /** Rows were read, but nothing is sent yet: they are being sorted. */
    default void sorting(long rows) {}

    /**
     * A publication was handed to the sink.
     *
     * @param sent how many that makes
     * @param eventTime of the last, milliseconds since 1970-01-01T00:00Z
     */
    default void sent(long sent, long eventTime) {}
}
