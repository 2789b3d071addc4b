package io.hereabouts.perf.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;

/**
 * What routing costs: the router and an identity topology read the same publications in turn, under the same settings, in
 * this process; Kafka is in another. What is compared is the CPU time of the stream threads. For one thread.
 */
public final class RouteBenchmark implements AutoCloseable {

    private static final double MOST_TIMES_IDENTITY = 1.5;
    private static final EdgeId IDENTITY = EdgeId.of("identity");

    private final RouteParameters parameters;
    private final Progress progress;
    private final KafkaConnection kafka;
    private final Admin admin;
    private final Consumer<byte[], byte[]> consumer;

    private RouteBenchmark(RouteParameters parameters, Progress progress, KafkaConnection kafka) {
        this.parameters = parameters;
        this.progress = progress;
        this.kafka = kafka;
        this.admin = Admin.create(kafka.base("perf-admin"));
        this.consumer = new KafkaConsumer<>(kafka.consumer("perf-audit"));
    }

    /**
     * Measures; takes minutes with the default parameters.
     *
     * @throws MeasurementException if something did not start or stands still
     */
    public static Result run(RouteParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        progress.line("starting Kafka");
        try (WorkFolder folder = WorkFolder.create();
                ChildProcess broker = ChildProcess.kafka(folder.path());
                RouteBenchmark benchmark =
                        new RouteBenchmark(parameters, progress, KafkaConnection.to(broker.address()))) {
            for (RouteCase shape : parameters.cases()) {
                benchmark.run(shape, result);
            }
        } catch (InterruptException e) {
            // Kafka's clients leave the thread interrupted
            var unused = Thread.interrupted();
            throw new InterruptedException("interrupted while routing");
        } catch (KafkaException | IllegalStateException e) {
            throw new MeasurementException("route", e);
        } catch (ExecutionException e) {
            throw new MeasurementException("Kafka refused", e.getCause() == null ? e : e.getCause());
        }
        return result.note("fan-out 0: the entity is in a neighborhood, the topic filter does not match")
                .build();
    }

    private void run(RouteCase shape, Result.Builder result)
            throws MeasurementException, InterruptedException, ExecutionException {
        TopicCatalogue topics =
                new TopicCatalogue("perf." + shape.id() + ".", parameters.partitions(), (short) 1, Duration.ofDays(1));
        List<EdgeId> outputs =
                Stream.concat(shape.edgeIds().stream(), Stream.of(IDENTITY)).toList();
        create(topics, outputs);
        int records = shape.records(parameters.records());
        progress.line(shape.name() + ": writing " + records + " publications");
        int interests = new RouteInputs(parameters, shape, topics).write(kafka);
        RouteAudit audit = new RouteAudit(shape.neighborhoodsOfEntity());
        List<RouteRound> router = new ArrayList<>();
        List<RouteRound> identity = new ArrayList<>();
        for (int round = 0; round <= parameters.rounds(); round++) {
            RouteRound a = router(shape, topics, round, records, interests, audit);
            RouteRound b = identity(topics, round, records, audit);
            progress.line(String.format(
                    Locale.ROOT,
                    "%s: %s, router %.2f µs, identity %.2f µs",
                    shape.name(),
                    round == 0 ? "warm-up" : "round " + round + " of " + parameters.rounds(),
                    a.cpuMicros(),
                    b.cpuMicros()));
            if (round > 0) {
                router.add(a);
                identity.add(b);
            }
        }
        report(shape, router, identity, result);
        long runs = parameters.rounds() + 1L;
        result.book(shape.name() + ": copies by identity", runs * records, audit.copies())
                .book(shape.name() + ": deliveries", runs * records * (long) shape.fanOut(), audit.deliveries())
                .book(shape.name() + ": repeated deliveries", 0, audit.repeats())
                .book(shape.name() + ": wrong deliveries", 0, audit.wrong());
        admin.deleteTopics(specs(topics, outputs).map(TopicSpec::name).toList())
                .all()
                .get();
    }

    private static void report(
            RouteCase shape, List<RouteRound> router, List<RouteRound> identity, Result.Builder result) {
        String routerCpu = shape.name() + ": router CPU a record";
        String identityCpu = shape.name() + ": identity CPU a record";
        Measurement a = new Measurement(
                routerCpu, "µs", router.stream().map(RouteRound::cpuMicros).toList());
        Measurement b = new Measurement(
                identityCpu, "µs", identity.stream().map(RouteRound::cpuMicros).toList());
        Measurement ratio = Measurement.ratio(shape.name() + ": CPU, router ÷ identity", a, b);
        Measurement aRate = new Measurement(
                shape.name() + ": router rate",
                "records/s",
                router.stream().map(RouteRound::recordsPerSecond).toList());
        Measurement bRate = new Measurement(
                shape.name() + ": identity rate",
                "records/s",
                identity.stream().map(RouteRound::recordsPerSecond).toList());
        result.figure(a)
                .figure(b)
                .figure(ratio)
                .figure(aRate)
                .figure(bRate)
                .figure(Measurement.ratio(shape.name() + ": rate, router ÷ identity", aRate, bRate));
        if (shape.fanOut() == 1 && shape.neighborhoodsOfEntity() == 1) {
            result.target(Target.atMost(MOST_TIMES_IDENTITY, ratio));
        }
    }

    private RouteRound router(
            RouteCase shape, TopicCatalogue topics, int round, int records, int interests, RouteAudit audit)
            throws MeasurementException, InterruptedException {
        List<TopicPartition> outputs = shape.edgeIds().stream()
                .map(edge -> new TopicPartition(topics.deliveries(edge), 0))
                .toList();
        Map<TopicPartition, Long> begin = Map.copyOf(consumer.endOffsets(outputs));
        Map<TopicPartition, Long> end = new HashMap<>();
        // an Applied for each interest, for a new group begins with the first filter
        long written = (long) interests + (shape.matches() ? records : 0);
        begin.forEach((partition, offset) -> end.put(partition, offset + written));
        RouteRound figures;
        try (Contender router = RouterContender.start(config(topics, "router-" + round))) {
            figures = RouteRound.measure(router, records, end, consumer);
        }
        begin.forEach((partition, offset) -> audit.router(consumer, partition, offset));
        return figures;
    }

    private RouteRound identity(TopicCatalogue topics, int round, int records, RouteAudit audit)
            throws MeasurementException, InterruptedException {
        TopicPartition output = new TopicPartition(topics.deliveries(IDENTITY), 0);
        long begin = consumer.endOffsets(List.of(output)).getOrDefault(output, 0L);
        // it also copies the probe of each partition
        long all = records + (long) parameters.partitions();
        RouteRound figures;
        try (Contender identity = IdentityContender.start(config(topics, "identity-" + round), output.topic())) {
            figures = RouteRound.measure(identity, all, Map.of(output, begin + all), consumer);
        }
        audit.identity(consumer, output, begin);
        return figures;
    }

    private RouterConfig config(TopicCatalogue topics, String name) {
        return RouterConfig.builder(kafka, topics)
                .applicationId(topics.prefix() + name)
                .build();
    }

    private void create(TopicCatalogue topics, List<EdgeId> outputs) throws ExecutionException, InterruptedException {
        try (TopicAdmin topicAdmin = new TopicAdmin(kafka, topics)) {
            topicAdmin.create(specs(topics, outputs).toList());
        }
    }

    private static Stream<TopicSpec> specs(TopicCatalogue topics, List<EdgeId> outputs) {
        return Stream.concat(topics.fixed().stream(), outputs.stream().map(topics::deliveriesOf))
                .map(spec -> {
                    Map<String, String> settings = new TreeMap<>(spec.settings());
                    // the next case needs the space
                    settings.put(TopicConfig.FILE_DELETE_DELAY_MS_CONFIG, "0");
                    return new TopicSpec(spec.name(), spec.partitions(), settings);
                });
    }

    @Override
    public void close() {
        // an interrupted consumer would not close
        boolean interrupted = Thread.interrupted();
        consumer.close();
        admin.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
