package io.hereabouts.bridge.delivery;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Which deliveries this edge has had. The router sends those of one source partition in the order of its offsets, and
 * after a fail-over repeats from an earlier offset: so a high-water mark for each partition is enough. Owned by one
 * thread; any may ask how far it is.
 */
public final class SeenDeliveries {

    /** Longer texts Kafka does not take with an offset, by default. */
    private static final int MAX_MARKS_CHARS = 4_000;

    private static final int RADIX = Character.MAX_RADIX;

    private record Source(int generation, int partition) {}

    private final Map<Source, Long> highest = new ConcurrentHashMap<>();

    /** Whether nothing new can come from here or from before: this delivery was had, or a later one. */
    public boolean isPast(int generation, int partition, long offset) {
        Long before = highest.get(new Source(generation, partition));
        return before != null && offset <= before;
    }

    /** True the first time; false for a repeat. */
    public boolean isNew(int generation, int partition, long offset) {
        if (isPast(generation, partition, offset)) {
            return false;
        }
        highest.put(new Source(generation, partition), offset);
        return true;
    }

    /**
     * The marks as text for {@link #remember}. With more than some hundred source partitions it is empty: a router's
     * repeats are then not known as such after a restart.
     */
    public String marks() {
        String text = highest.entrySet().stream()
                .map(mark -> Integer.toString(mark.getKey().generation(), RADIX) + "."
                        + Integer.toString(mark.getKey().partition(), RADIX) + "."
                        + Long.toString(mark.getValue(), RADIX))
                .collect(Collectors.joining(" "));
        return text.length() > MAX_MARKS_CHARS ? "" : text;
    }

    /**
     * Begins with these marks.
     *
     * @throws IllegalArgumentException if that is not what {@link #marks} wrote
     */
    public void remember(String marks) {
        for (String mark : marks.isEmpty() ? new String[0] : marks.split(" ", -1)) {
            String[] parts = mark.split("\\.", -1);
            if (parts.length != 3) {
                throw new IllegalArgumentException("'" + mark + "' is not generation.partition.offset");
            }
            highest.put(
                    new Source(Integer.parseInt(parts[0], RADIX), Integer.parseInt(parts[1], RADIX)),
                    Long.parseLong(parts[2], RADIX));
        }
    }
}
