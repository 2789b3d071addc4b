package io.hereabouts.router;

import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * What an edge makes of the records of its Kafka topic: of each source partition it keeps the highest owner and drops
 * what comes under a lower one; then it drops deliveries it has seen; the rest counts. Single thread.
 */
final class EdgeBook {

    /** A delivery that counted. */
    record Received(String entity, String topic, String payload, Set<Long> handles, long owner, long offset) {}

    private final boolean dropsLowerOwners;
    private final Map<Integer, Long> owners = new HashMap<>();
    private final Map<Integer, Long> applied = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<String, Received> byPayload = new LinkedHashMap<>();
    private int appliedCount;
    private int repeats;
    private int staleApplied;
    private int staleDeliveries;

    EdgeBook() {
        this(true);
    }

    /** @param dropsLowerOwners false shows what happens without the rule */
    EdgeBook(boolean dropsLowerOwners) {
        this.dropsLowerOwners = dropsLowerOwners;
    }

    void take(byte[] key, byte[] framed) {
        try {
            SpecificRecord value = Framing.decode(framed);
            if (value instanceof Applied a) {
                take(a);
            } else if (value instanceof Delivery d) {
                take(new String(key, StandardCharsets.UTF_8), d);
            } else {
                throw new IllegalStateException("unexpected " + value);
            }
        } catch (UndecodableException e) {
            throw new IllegalStateException(e);
        }
    }

    private void take(Applied a) {
        if (isStale(a.getPartition(), a.getOwner())) {
            staleApplied++;
        } else {
            appliedCount++;
            applied.merge(a.getPartition(), a.getOffset(), Math::max);
        }
    }

    private void take(String entity, Delivery d) throws UndecodableException {
        if (isStale(d.getPartition(), d.getOwner())) {
            staleDeliveries++;
            return;
        }
        if (!seen.add(d.getPartition() + "/" + d.getOffset())) {
            repeats++;
            return;
        }
        byte[] bytes = new byte[d.getPublication().remaining()];
        d.getPublication().get(bytes);
        Publication publication = Framing.decode(bytes, Publication.class);
        String payload = StandardCharsets.UTF_8.decode(publication.getPayload()).toString();
        Received received = new Received(
                entity, publication.getTopic(), payload, new TreeSet<>(d.getHandles()), d.getOwner(), d.getOffset());
        byPayload.putIfAbsent(payload, received);
    }

    private boolean isStale(int partition, long owner) {
        return owner < owners.merge(partition, owner, Math::max) && dropsLowerOwners;
    }

    /** Whether each partition has applied at least its offset. */
    boolean hasApplied(Map<Integer, Long> positions) {
        return positions.entrySet().stream().allMatch(p -> applied.getOrDefault(p.getKey(), -1L) >= p.getValue());
    }

    /** What counted, by payload; a payload is published once. */
    Map<String, Received> received() {
        return byPayload;
    }

    /** The delivery with this payload, which must have been received. */
    Received received(String payload) {
        return Objects.requireNonNull(byPayload.get(payload), "not received: " + payload);
    }

    int appliedCount() {
        return appliedCount;
    }

    int repeats() {
        return repeats;
    }

    int staleApplied() {
        return staleApplied;
    }

    int staleDeliveries() {
        return staleDeliveries;
    }
}
