package io.hereabouts.replay;

import java.util.Locale;

/** A line that does not become a publication. */
final class BadLineException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    BadLineException(Kind kind, String reason) {
        super(reason, null, false, false);
        this.kind = kind;
    }

    Kind kind() {
        return kind;
    }

    /** What is wrong with it, as metrics tell it. */
    enum Kind {
        ENCODING,
        TOO_LONG,
        COLUMNS,
        JSON,
        TIME,
        /** A local time that daylight saving leaves out. */
        TIME_GAP,
        ENTITY,
        TOPIC,
        PAYLOAD;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
