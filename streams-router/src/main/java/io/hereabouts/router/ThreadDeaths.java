package io.hereabouts.router;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.clients.consumer.InvalidOffsetException;

/**
 * What to do when a stream thread dies: replace it, for most causes pass; give up when one recurs, so that something
 * outside sees a router that is down instead of one that dies again and again, or when no replacement could do better.
 * Time is an argument. Not thread-safe.
 */
final class ThreadDeaths {

    private static final int REPLACEMENTS = 3;
    private static final Duration WITHIN = Duration.ofMinutes(1);

    private final Deque<Long> recent = new ArrayDeque<>();

    /**
     * Whether a thread that died should be replaced.
     *
     * @param nanos now, as {@link System#nanoTime}
     */
    boolean shouldReplace(Throwable cause, long nanos) {
        for (Throwable t = cause; t != null; t = t.getCause()) {
            if (t instanceof InvalidOffsetException || t instanceof Error) {
                return false;
            }
        }
        while (!recent.isEmpty() && nanos - recent.getFirst() > WITHIN.toNanos()) {
            recent.removeFirst();
        }
        recent.addLast(nanos);
        return recent.size() <= REPLACEMENTS;
    }
}
