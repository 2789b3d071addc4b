package io.hereabouts.bridge.kafka;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a compacted Kafka topic should hold under the keys of this edge. The last value of a key is sent again until
 * Kafka has it; an older one never overtakes it. Owned by the thread behind {@code owner}.
 */
public final class CompactedTable {

    private static final class Wanted {
        byte @Nullable [] value;
        int partition;
        long version;
        boolean underway;
        List<Runnable> stored = new ArrayList<>(1);
    }

    private final EdgeProducer producer;
    private final String topic;
    private final Executor owner;
    private final Map<ByteBuffer, Wanted> wanted = new HashMap<>();

    public CompactedTable(EdgeProducer producer, String topic, Executor owner) {
        this.producer = producer;
        this.topic = topic;
        this.owner = owner;
    }

    /**
     * The key is to have this value.
     *
     * @param value null removes the key
     * @param stored run by the owner once Kafka has this value or a later one
     */
    public void put(int partition, byte[] key, byte @Nullable [] value, Runnable stored) {
        Wanted entry = wanted.computeIfAbsent(ByteBuffer.wrap(key), k -> new Wanted());
        entry.value = value;
        entry.partition = partition;
        entry.version++;
        entry.stored.add(stored);
        send(key, entry);
    }

    /** Whatever the key has in Kafka, nothing is sent for it again; what is on its way may arrive. */
    public void forget(byte[] key) {
        wanted.remove(ByteBuffer.wrap(key));
    }

    /** Sends again what has failed. */
    public void retry() {
        for (Map.Entry<ByteBuffer, Wanted> entry : List.copyOf(wanted.entrySet())) {
            if (!entry.getValue().underway) {
                send(entry.getKey().array(), entry.getValue());
            }
        }
    }

    /** How many keys Kafka does not have as they should be. */
    public int unstored() {
        return wanted.size();
    }

    private void send(byte[] key, Wanted entry) {
        long version = entry.version;
        entry.underway = true;
        producer.send(
                topic,
                entry.partition,
                key,
                entry.value,
                failure -> owner.execute(() -> finished(key, entry, version, failure == null)));
    }

    private void finished(byte[] key, Wanted entry, long version, boolean success) {
        if (entry.version != version || !entry.equals(wanted.get(ByteBuffer.wrap(key)))) {
            return;
        }
        entry.underway = false;
        if (success) {
            wanted.remove(ByteBuffer.wrap(key));
            List<Runnable> stored = entry.stored;
            entry.stored = new ArrayList<>();
            stored.forEach(Runnable::run);
        }
    }
}
