package io.hereabouts.launcher;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, to be closed in reverse; one that fails to close does not keep the others open. */
final class Started implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Started.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    synchronized <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close", part.getClass().getSimpleName(), e);
            }
        }
    }
}
