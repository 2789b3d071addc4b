package io.hereabouts.replay;

import java.nio.file.Path;
import java.util.Locale;

/** What the lines of a file are. */
public enum LineFormat {
    /** Values between separators (RFC 4180 within a line). */
    CSV,
    /** A JSON object on each line, in UTF-8. */
    NDJSON;

    /** By the extension, before {@code .gz}: {@code .ndjson} and {@code .jsonl} are NDJSON, anything else is CSV. */
    static LineFormat of(Path file) {
        String name = FileColumns.bareName(file).toLowerCase(Locale.ROOT);
        return name.endsWith(".ndjson") || name.endsWith(".jsonl") ? NDJSON : CSV;
    }
}
