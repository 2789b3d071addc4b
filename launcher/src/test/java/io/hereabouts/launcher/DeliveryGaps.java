package io.hereabouts.launcher;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantee;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Published;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The longest time in which nothing came from one partition of {@code publications}, while publications went on. */
final class DeliveryGaps implements Guarantee {

    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
    private final long[] last = new long[CityEdges.TOPICS.partitions()];
    private long longest;

    @Override
    public String promise() {
        return "gaps are measured";
    }

    @Override
    public void publishing(Published publication, List<Expected> expected) {
        if (!expected.isEmpty()) {
            EntityId entity = EntityId.of(Objects.requireNonNull(publication.entity()));
            partitions.put(publication.id(), Partitions.partitionOf(entity, last.length));
        }
    }

    @Override
    public void delivered(Delivered delivery) {
        Integer partition = partitions.get(delivery.publication());
        if (partition != null) {
            came(partition, System.nanoTime());
        }
    }

    private synchronized void came(int partition, long now) {
        if (last[partition] != 0) {
            longest = Math.max(longest, now - last[partition]);
        }
        last[partition] = now;
    }

    /** Of all partitions; a gap that has not ended counts when it does. */
    synchronized Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public List<String> violations() {
        return List.of();
    }
}
