package io.hereabouts.perf.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Writes what a router finds: filters as a resolver writes them, publications as an edge does. For one thread.
 */
final class RouteInputs {

    private static final long EPOCH = 1;

    private final RouteParameters parameters;
    private final RouteCase shape;
    private final TopicCatalogue topics;
    private final List<String> entities = new ArrayList<>();

    RouteInputs(RouteParameters parameters, RouteCase shape, TopicCatalogue topics) {
        this.parameters = parameters;
        this.shape = shape;
        this.topics = topics;
        for (int e = 0; e < parameters.entities(); e++) {
            entities.add("perf/entity/" + e);
        }
    }

    /** Writes everything; returns how many interests each edge has, all partitions together. */
    int write(KafkaConnection kafka) {
        int[] interests = new int[1];
        send(kafka, sender -> {
            interests[0] = filters(sender);
            publications(sender);
        });
        return interests[0];
    }

    /** Writes, for each entity, the handles of the neighborhoods that it is in, one after the other. */
    void writeSets(KafkaConnection kafka, String topic) {
        send(kafka, sender -> {
            int all = parameters.neighborhoods();
            for (int e = 0; e < entities.size(); e++) {
                ByteBuffer set = ByteBuffer.allocate(shape.neighborhoodsOfEntity() * Long.BYTES);
                for (int j = 0; j < shape.neighborhoodsOfEntity(); j++) {
                    set.putLong(neighborhood((e + j) % all).handle());
                }
                EntityId entity = EntityId.of(entities.get(e));
                sender.send(topic, partitionOf(entities.get(e)), entity.bytes(), set.array());
            }
        });
    }

    private static void send(KafkaConnection kafka, Consumer<Sender> inputs) {
        Map<String, Object> settings = kafka.producer("perf-inputs");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            inputs.accept((topic, partition, key, value) -> {
                var unused = producer.send(new ProducerRecord<>(topic, partition, key, value), (ack, failed) -> {
                    if (failed != null) {
                        failure.compareAndSet(null, failed);
                    }
                });
            });
            producer.flush();
            Exception failed = failure.get();
            if (failed != null) {
                throw new KafkaException("the inputs could not be written", failed);
            }
        }
    }

    private int filters(Sender sender) {
        int interests = 0;
        long version = 0;
        for (int n = 0; n < parameters.neighborhoods(); n++) {
            NeighborhoodId id = neighborhood(n);
            Map<Integer, List<String>> slices = slices(n);
            int total = slices.values().stream().mapToInt(List::size).sum();
            version++;
            for (Map.Entry<Integer, List<String>> slice : slices.entrySet()) {
                sender.send(
                        topics.filters(),
                        slice.getKey(),
                        Keys.slice(id),
                        Framing.encode(new Slice(
                                EPOCH,
                                version,
                                1L,
                                total,
                                slice.getValue().size(),
                                ByteBuffer.wrap(SliceIds.encode(slice.getValue())))));
            }
            for (EdgeId edge : shape.edgeIds()) {
                version++;
                byte[] key = Keys.filterInterest(new Interest(id, TopicFilter.parse(shape.topicFilter()), edge));
                byte[] value = Framing.encode(new FilterInterest(EPOCH, version, version));
                slices.keySet().forEach(partition -> sender.send(topics.filters(), partition, key, value));
            }
            interests += slices.size();
        }
        return interests;
    }

    /** The entities of the n-th neighborhood by partition: each entity is in as many successive ones as wanted. */
    private Map<Integer, List<String>> slices(int n) {
        Map<Integer, List<String>> slices = new TreeMap<>();
        int all = parameters.neighborhoods();
        IntStream.range(0, shape.neighborhoodsOfEntity())
                .flatMap(j -> IntStream.iterate(Math.floorMod(n - j, all), e -> e < entities.size(), e -> e + all))
                .sorted()
                .mapToObj(entities::get)
                .forEach(entity -> slices.computeIfAbsent(partitionOf(entity), p -> new ArrayList<>())
                        .add(entity));
        return slices;
    }

    private static NeighborhoodId neighborhood(int n) {
        return NeighborhoodId.ofCanonical("perf " + n);
    }

    private void publications(Sender sender) {
        List<byte[]> keys = new ArrayList<>();
        List<byte[]> values = new ArrayList<>();
        Random random = new Random(parameters.seed());
        for (String entity : entities) {
            byte[] payload = new byte[parameters.payload()];
            random.nextBytes(payload);
            keys.add(EntityId.of(entity).bytes());
            values.add(FramedPublication.of(entity + "/state", payload));
        }
        int records = shape.records(parameters.records());
        for (int i = 0; i < records; i++) {
            int e = random.nextInt(entities.size());
            sender.send(topics.publications(), partitionOf(entities.get(e)), keys.get(e), values.get(e));
        }
    }

    private int partitionOf(String entity) {
        return Partitions.partitionOf(EntityId.of(entity), topics.partitions());
    }

    private interface Sender {
        void send(String topic, int partition, byte[] key, byte[] value);
    }
}
