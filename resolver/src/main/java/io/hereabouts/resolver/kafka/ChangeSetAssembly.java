package io.hereabouts.resolver.kafka;

import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.schemas.kafka.ChangeSetHeader;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts change sets together again whose records come from several partitions, and hands them out in the order of their
 * versions, each as a whole. For one thread.
 *
 * <p>Records that compaction has removed never come: they were replaced by those of a later change set.
 */
final class ChangeSetAssembly {

    private final TreeMap<Long, Part> parts = new TreeMap<>();

    /** A record of this change set was read; {@code change} adds it. */
    void add(ChangeSetHeader header, Consumer<ChangeSet.Builder> change) {
        Part part = parts.computeIfAbsent(header.version(), version -> new Part(header.records()));
        part.missing--;
        change.accept(part.changes);
    }

    /** The first change set, if it is complete. */
    @Nullable
    Numbered next() {
        Map.Entry<Long, Part> first = parts.firstEntry();
        return first == null || first.getValue().missing > 0 ? null : take(first);
    }

    /** True if the first change set is incomplete, and there is a later one. */
    boolean isHeldUp() {
        return parts.size() > 1 && parts.firstEntry().getValue().missing > 0;
    }

    /** The first change set; what is missing has been compacted away. */
    Numbered force() {
        return take(parts.firstEntry());
    }

    private Numbered take(Map.Entry<Long, Part> part) {
        parts.remove(part.getKey());
        return new Numbered(part.getKey(), part.getValue().changes.build());
    }

    /** A change set and the version that it makes. */
    record Numbered(long version, ChangeSet changes) {}

    private static final class Part {
        private final ChangeSet.Builder changes = ChangeSet.builder();
        private int missing;

        Part(int records) {
            this.missing = records;
        }
    }
}
