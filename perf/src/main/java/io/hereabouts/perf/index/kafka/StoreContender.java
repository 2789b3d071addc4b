package io.hereabouts.perf.index.kafka;

import io.hereabouts.perf.index.IndexContender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/**
 * A key-value store of Kafka Streams with its own settings and without changelog: a key for each pair, found by a scan of
 * the keys that begin with the entity. What a topology would do that keeps to the library's stores.
 */
public final class StoreContender implements IndexContender {

    private static final byte[] PRESENT = {1};
    private static final int SUFFIX = 1 + Integer.BYTES;
    private static final ByteArraySerializer SERIALIZER = new ByteArraySerializer();

    private final KeyValueStore<Bytes, byte[]> store;
    private final Path folder;

    private StoreContender(KeyValueStore<Bytes, byte[]> store, Path folder) {
        this.store = store;
        this.folder = folder;
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "hereabouts-perf");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        StateStoreContext context = new MockProcessorContext<Void, Void>(settings, new TaskId(0, 0), folder.toFile())
                .getStateStoreContext();
        store.init(context, store);
    }

    /** {@code Stores.inMemoryKeyValueStore}. */
    public static StoreContender inMemory(Path folder) {
        return new StoreContender(Stores.inMemoryKeyValueStore("pairs").get(), folder);
    }

    /** {@code Stores.persistentKeyValueStore}, with its files in this folder. */
    public static StoreContender rocksDb(Path folder) {
        return new StoreContender(Stores.persistentKeyValueStore("pairs").get(), folder);
    }

    @Override
    public void add(int neighborhood, List<byte[]> entities) {
        for (byte[] entity : entities) {
            byte[] key = ByteBuffer.allocate(entity.length + SUFFIX)
                    .put(entity)
                    .put((byte) 0)
                    .putInt(neighborhood)
                    .array();
            store.put(Bytes.wrap(key), PRESENT);
        }
    }

    @Override
    public int find(byte[] entity) {
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> found = scan(entity)) {
            while (found.hasNext()) {
                found.next();
                count++;
            }
        }
        return count;
    }

    private KeyValueIterator<Bytes, byte[]> scan(byte[] entity) {
        return store.prefixScan(Arrays.copyOf(entity, entity.length + 1), SERIALIZER);
    }

    @Override
    public long sum(byte[] entity) {
        long sum = 0;
        try (KeyValueIterator<Bytes, byte[]> found = scan(entity)) {
            while (found.hasNext()) {
                KeyValue<Bytes, byte[]> pair = found.next();
                byte[] key = pair.key.get();
                sum += ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES) + 1L;
            }
        }
        return sum;
    }

    @Override
    public long outsideOfHeap() {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(StoreContender::size)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            // a file that a compaction has just dropped
            return 0;
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
