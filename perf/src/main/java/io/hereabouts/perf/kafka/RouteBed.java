package io.hereabouts.perf.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Result;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Kafka topics that hold the filters and publications of one shape. Contenders take turns over them, each in a consumer
 * group of its own that reads all of it from the beginning, and what they write is audited. For one thread.
 */
final class RouteBed implements AutoCloseable {

    private static final EdgeId IDENTITY = EdgeId.of("identity");
    private static final EdgeId TABLE = EdgeId.of("table");

    private final RouteParameters parameters;
    private final RouteCase shape;
    private final KafkaConnection kafka;
    private final TopicCatalogue topics;
    private final RouteInputs inputs;
    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;
    private final RouteAudit audit;
    private final int records;
    private int interests;
    private int routerRuns;
    private int identityRuns;
    private int tableRuns;

    private RouteBed(RouteParameters parameters, RouteCase shape, String id, KafkaConnection kafka) {
        this.parameters = parameters;
        this.shape = shape;
        this.kafka = kafka;
        this.topics = new TopicCatalogue("perf." + id + ".", parameters.partitions(), (short) 1, Duration.ofDays(1));
        this.inputs = new RouteInputs(parameters, shape, topics);
        this.audit = new RouteAudit(shape.neighborhoodsOfEntity());
        this.records = shape.records(parameters.records());
        this.admin = Admin.create(kafka.base("perf-admin"));
        this.consumer = new KafkaConsumer<>(kafka.consumer("perf-audit"));
    }

    /**
     * Creates the Kafka topics and writes filters and publications.
     *
     * @param id part of the names of the Kafka topics
     */
    static RouteBed write(RouteParameters parameters, RouteCase shape, String id, KafkaConnection kafka)
            throws InterruptedException, ExecutionException {
        return write(parameters, shape, id, kafka, false);
    }

    /** The same, with the sets that {@link #table} joins with: older than publications, or none of those would find any. */
    static RouteBed writeWithSets(RouteParameters parameters, RouteCase shape, KafkaConnection kafka)
            throws InterruptedException, ExecutionException {
        return write(parameters, shape, shape.id(), kafka, true);
    }

    private static RouteBed write(
            RouteParameters parameters, RouteCase shape, String id, KafkaConnection kafka, boolean withSets)
            throws InterruptedException, ExecutionException {
        RouteBed bed = new RouteBed(parameters, shape, id, kafka);
        try (TopicAdmin topicAdmin = new TopicAdmin(kafka, bed.topics)) {
            topicAdmin.create(bed.specs().toList());
            if (withSets) {
                bed.inputs.writeSets(kafka, bed.sets());
            }
            bed.interests = bed.inputs.write(kafka);
            return bed;
        } catch (RuntimeException | InterruptedException | ExecutionException e) {
            bed.close();
            throw e;
        }
    }

    /** Publications that a contender reads. */
    int records() {
        return records;
    }

    /** One run of the router. */
    RouteRound router() throws MeasurementException, InterruptedException {
        List<TopicPartition> outputs = shape.edgeIds().stream()
                .map(edge -> new TopicPartition(topics.deliveries(edge), 0))
                .toList();
        Map<TopicPartition, Long> begin = Map.copyOf(consumer.endOffsets(outputs));
        Map<TopicPartition, Long> end = new HashMap<>();
        // an Applied for each interest, for a new group begins with the first filter
        long written = (long) interests + (shape.matches() ? records : 0);
        begin.forEach((partition, offset) -> end.put(partition, offset + written));
        RouteRound figures;
        try (Contender router = RouterContender.start(config("router-" + routerRuns++))) {
            figures = RouteRound.measure(router, records, end, consumer);
        }
        begin.forEach((partition, offset) -> audit.router(consumer, partition, offset));
        return figures;
    }

    /** One run of a topology that copies each publication. */
    RouteRound identity() throws MeasurementException, InterruptedException {
        TopicPartition output = new TopicPartition(topics.deliveries(IDENTITY), 0);
        long begin = consumer.endOffsets(List.of(output)).getOrDefault(output, 0L);
        // it also copies the probe of each partition
        long all = records + (long) parameters.partitions();
        RouteRound figures;
        try (Contender identity = IdentityContender.start(config("identity-" + identityRuns++), output.topic())) {
            figures = RouteRound.measure(identity, all, Map.of(output, begin + all), consumer);
        }
        audit.identity(consumer, output, begin);
        return figures;
    }

    /** One run of a topology that joins with a table of sets; not for more than one edge. */
    RouteRound table() throws MeasurementException, InterruptedException {
        TopicPartition output = new TopicPartition(topics.deliveries(TABLE), 0);
        long begin = consumer.endOffsets(List.of(output)).getOrDefault(output, 0L);
        RouteRound figures;
        try (Contender table = TableContender.start(config("table-" + tableRuns++), sets(), output.topic())) {
            figures = RouteRound.measure(table, records, Map.of(output, begin + records), consumer);
        }
        audit.table(consumer, output, begin);
        return figures;
    }

    /** Bytes in Kafka of the filters that a router reads. */
    long filterBytes() throws InterruptedException, ExecutionException {
        return bytes(topics.filters());
    }

    /** Bytes in Kafka of the sets that {@link #table} reads. */
    long setBytes() throws InterruptedException, ExecutionException {
        return bytes(sets());
    }

    private long bytes(String topic) throws InterruptedException, ExecutionException {
        long bytes = 0;
        List<Integer> brokers =
                admin.describeCluster().nodes().get().stream().map(Node::id).toList();
        for (Map<String, LogDirDescription> ofBroker :
                admin.describeLogDirs(brokers).allDescriptions().get().values()) {
            for (LogDirDescription folder : ofBroker.values()) {
                bytes += folder.replicaInfos().entrySet().stream()
                        .filter(replica -> replica.getKey().topic().equals(topic))
                        .mapToLong(replica -> replica.getValue().size())
                        .sum();
            }
        }
        return bytes;
    }

    /** Adds the books of all runs. */
    void book(String name, Result.Builder result) {
        result.book(name + ": deliveries", (long) routerRuns * records * shape.fanOut(), audit.deliveries())
                .book(name + ": repeated deliveries", 0, audit.repeats())
                .book(name + ": wrong deliveries", 0, audit.wrong());
        if (identityRuns > 0) {
            result.book(name + ": copies by identity", (long) identityRuns * records, audit.copies());
        }
        if (tableRuns > 0) {
            result.book(name + ": right records by the table", (long) tableRuns * records, audit.tableRecords());
        }
    }

    private String sets() {
        return topics.prefix() + "sets";
    }

    private RouterConfig config(String name) {
        return RouterConfig.builder(kafka, topics)
                .applicationId(topics.prefix() + name)
                .build();
    }

    private Stream<TopicSpec> specs() {
        return Stream.concat(
                        Stream.concat(
                                topics.fixed().stream(),
                                Stream.of(new TopicSpec(
                                        sets(),
                                        parameters.partitions(),
                                        Map.of(
                                                TopicConfig.CLEANUP_POLICY_CONFIG,
                                                TopicConfig.CLEANUP_POLICY_COMPACT)))),
                        Stream.concat(shape.edgeIds().stream(), Stream.of(IDENTITY, TABLE))
                                .map(topics::deliveriesOf))
                .map(spec -> {
                    Map<String, String> settings = new TreeMap<>(spec.settings());
                    // the next shape needs the space
                    settings.put(TopicConfig.FILE_DELETE_DELAY_MS_CONFIG, "0");
                    return new TopicSpec(spec.name(), spec.partitions(), settings);
                });
    }

    /** Removes the Kafka topics. */
    @Override
    public void close() {
        // an interrupted client would not close
        boolean interrupted = Thread.interrupted();
        consumer.close();
        admin.deleteTopics(specs().map(TopicSpec::name).toList());
        admin.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
