package io.hereabouts.resolver.memory;

import io.hereabouts.resolver.world.WorldChange;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The newest changes of a world in memory: a bounded number of versions and touched entities. Thread-safe. */
final class ChangeHistory {

    private final int maxTouched;
    private final Deque<WorldChange> changes = new ArrayDeque<>();
    private long touched;
    private long newest;
    /** The changes that made later versions are all known. */
    private long known;

    /** @param maxTouched versions and touched entities, together */
    ChangeHistory(int maxTouched) {
        this.maxTouched = maxTouched;
    }

    /** What was before this change is not known. */
    synchronized void begin(long version) {
        changes.clear();
        touched = 0;
        newest = version;
        known = version;
        notifyAll();
    }

    synchronized void add(WorldChange change) {
        newest = change.version();
        changes.addLast(change);
        touched += 1 + change.size();
        while (touched > maxTouched) {
            WorldChange oldest = changes.removeFirst();
            touched -= 1 + oldest.size();
            known = oldest.version();
        }
        notifyAll();
    }

    /** As {@link io.hereabouts.resolver.world.WorldModel#awaitChanges}. */
    synchronized List<WorldChange> await(long since, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (newest == since) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return List.of();
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        if (since < known || since > newest) {
            return List.of(WorldChange.everything(newest));
        }
        return changes.stream().filter(change -> change.version() > since).toList();
    }
}
