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
 * <p>A change set is begun only when all those before it are committed in all partitions. So whoever knows of a change set
 * and then has read every partition to the end that it has by now, has all records of those before it; what is missing
 * has been compacted away, replaced by later change sets.
 */
final class ChangeSetAssembly {

    private final TreeMap<Long, Part> parts = new TreeMap<>();

    /** A record of this change set was read; {@code change} adds it. */
    void add(ChangeSetHeader header, Consumer<ChangeSet.Builder> change) {
        Part part = parts.computeIfAbsent(header.version(), version -> new Part(header.records()));
        part.missing--;
        change.accept(part.changes);
    }

    /** The version of the last change set that is known of and not yet handed out; 0 if there is none. */
    long last() {
        return parts.isEmpty() ? 0 : parts.lastKey();
    }

    /**
     * The next change set, if it may be handed out.
     *
     * @param known was known of when the ends were asked for that have been reached since
     * @return null if there is none before {@code known}, and that one is incomplete
     */
    @Nullable
    Numbered next(long known) {
        Map.Entry<Long, Part> first = parts.firstEntry();
        if (first == null || first.getKey() > known || (first.getKey() == known && first.getValue().missing > 0)) {
            return null;
        }
        return take(first);
    }

    /** The next change set; what is missing of it has been compacted away. Null if there is none. */
    @Nullable
    Numbered force() {
        return parts.isEmpty() ? null : take(parts.firstEntry());
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
