package io.hereabouts.replay;

import java.nio.file.Path;

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
    default void badLine(Path file, long line, String reason) {}

    /** A row became a publication, but is remarkable. */
    default void remark(Path file, long line, Remark remark) {}

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
