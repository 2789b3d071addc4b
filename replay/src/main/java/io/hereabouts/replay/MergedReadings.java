package io.hereabouts.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges readings that are in order of {@link Reading#BY_TIME} each; one that is not in order comes as soon as all before
 * it in its own stream have come. All streams are open at once; a reading takes time with the logarithm of their number.
 */
final class MergedReadings implements Readings {

    private final List<Readings> open = new ArrayList<>();
    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::reading, Reading.BY_TIME));

    /** The next reading of a stream, and what comes after it. */
    private record Head(Reading reading, Readings rest) {}

    /** Opens a stream. */
    interface Opening {
        Readings open() throws IOException;
    }

    private MergedReadings() {}

    /** Opens all; if one fails, those that were opened are closed. */
    static MergedReadings of(List<? extends Opening> openings) throws IOException {
        MergedReadings merged = new MergedReadings();
        try {
            for (Opening opening : openings) {
                Readings readings = opening.open();
                merged.open.add(readings);
                merged.advance(readings);
            }
            return merged;
        } catch (IOException | RuntimeException e) {
            try {
                merged.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private void advance(Readings readings) throws IOException {
        Reading next = readings.next();
        if (next != null) {
            heads.add(new Head(next, readings));
        }
    }

    @Override
    public @Nullable Reading next() throws IOException {
        Head head = heads.poll();
        if (head == null) {
            return null;
        }
        advance(head.rest());
        return head.reading();
    }

    @Override
    public void close() throws IOException {
        IOException failed = null;
        for (Readings readings : open) {
            try {
                readings.close();
            } catch (IOException e) {
                failed = e;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
