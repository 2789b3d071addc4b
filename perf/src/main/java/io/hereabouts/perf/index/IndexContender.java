package io.hereabouts.perf.index;

import java.util.List;

/** Who keeps the pairs and is asked for the neighborhoods of an entity. For one thread. */
public interface IndexContender extends AutoCloseable {

    /** A gauge that this contender does not have. */
    long NO_GAUGE = -1;

    /** Adds a neighborhood with these entities, each once. */
    void add(int neighborhood, List<byte[]> entities);

    /** The last neighborhood was added; what can be put in order before lookups is. */
    default void complete() {}

    /** Finds the neighborhoods of the entity and leaves them where a caller would read them; how many, or how many edges. */
    int find(byte[] entity);

    /** The sum of the handles of the neighborhoods that the entity is in. */
    long sum(byte[] entity);

    /** How much heap it believes to take, in bytes, or {@link #NO_GAUGE}. */
    default long heapGauge() {
        return NO_GAUGE;
    }

    /** Memory outside of the heap, in bytes, as far as it tells. */
    default long outsideOfHeap() {
        return 0;
    }

    @Override
    default void close() {}
}
