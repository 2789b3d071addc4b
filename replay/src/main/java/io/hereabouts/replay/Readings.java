package io.hereabouts.replay;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Readings, one after the other. Not thread-safe. */
interface Readings extends AutoCloseable {

    /** The next, or null after the last. */
    @Nullable
    Reading next() throws IOException;

    @Override
    void close() throws IOException;
}
