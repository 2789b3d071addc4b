package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
import io.hereabouts.router.Router;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;

/**
 * A router with a large index: how long it takes from its start until it routes, against a bare consumer that reads the
 * same filters; and whether it holds a rate of publications, each of which goes to one edge. For one thread.
 */
public final class SustainBenchmark implements AutoCloseable {

    private static final double MOST_TIMES_CONSUMER = 2;
    private static final double MOST_SECONDS_BEHIND = 1;
    private static final int DISTINCT_PUBLICATIONS = 200_000;
    private static final int TENTH = 10;
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(100);

    private final SustainParameters parameters;
    private final Progress progress;
    private final KafkaConnection kafka;
    private final TopicCatalogue topics;
    private final Consumer<byte[], byte[]> ends;

    private SustainBenchmark(SustainParameters parameters, Progress progress, KafkaConnection kafka) {
        this.parameters = parameters;
        this.progress = progress;
        this.kafka = kafka;
        this.topics = new TopicCatalogue("perf.", parameters.partitions(), (short) 1, Duration.ofDays(1));
        this.ends = new KafkaConsumer<>(kafka.consumer("perf-ends"));
    }

    /**
     * Measures.
     *
     * @throws MeasurementException if something did not start, or the router stopped
     */
    public static Result run(SustainParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        Result.Builder result = Result.of(parameters.scenario());
        OwnKafka.run("sustain", progress, kafka -> {
            try (SustainBenchmark benchmark = new SustainBenchmark(parameters, progress, kafka)) {
                benchmark.run(result);
            }
        });
        return result.build();
    }

    private void run(Result.Builder result)
            throws ExecutionException, InterruptedException, TimeoutException, MeasurementException {
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(Stream.concat(topics.fixed().stream(), Stream.of(topics.deliveriesOf(LargeIndex.EDGE)))
                    .toList());
        }
        LargeIndex index = new LargeIndex(
                topics, parameters.seed(), parameters.neighborhoods(), parameters.size(), parameters.entities());
        try (Producer<byte[], byte[]> producer = producer()) {
            progress.line(String.format(Locale.ROOT, "writing %,d pairs", index.pairs()));
            index.write(producer);
            producer.flush();
            loads(result);
            hold(index, producer, result);
        }
    }

    private Producer<byte[], byte[]> producer() {
        Map<String, Object> settings = kafka.producer("perf-load");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        settings.put(ProducerConfig.BATCH_SIZE_CONFIG, 131_072);
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 128L << 20);
        return new KafkaProducer<>(settings);
    }

    private void loads(Result.Builder result) throws InterruptedException, TimeoutException {
        List<Double> router = new ArrayList<>();
        List<Double> loading = new ArrayList<>();
        List<Double> bare = new ArrayList<>();
        for (int i = 0; i < parameters.loads(); i++) {
            // another group each time, so that none of them waits for members of the one before
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            router.add(routerMillis("load-" + i, registry));
            loading.add(registry.get("hereabouts.router.load").timer().totalTime(TimeUnit.MILLISECONDS));
            bare.add(bareMillis());
            progress.line(String.format(
                    Locale.ROOT, "start %d: router %.0f ms, bare consumer %.0f ms", i + 1, router.get(i), bare.get(i)));
        }
        Measurement started = new Measurement("start: router, until it routes", "ms", router);
        Measurement loaded = new Measurement("start: of that, loading filters", "ms", loading);
        Measurement read = new Measurement("start: bare consumer, until it has read the filters", "ms", bare);
        Measurement ratio = Measurement.ratio("start: router ÷ bare consumer", started, read);
        result.figure(started)
                .figure(loaded)
                .figure(read)
                .figure(ratio)
                .figure(Measurement.ratio("start: loading filters ÷ bare consumer", loaded, read))
                .target(Target.atMost(MOST_TIMES_CONSUMER, ratio));
    }

    private double routerMillis(String name, SimpleMeterRegistry registry)
            throws InterruptedException, TimeoutException {
        long begin = System.nanoTime();
        try (Router router = Router.launch(config(name), registry)) {
            router.awaitRunning(START_TIMEOUT);
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    /** As the router reads them: all from one thread, with large fetches. */
    private double bareMillis() {
        long begin = System.nanoTime();
        Map<String, Object> settings = kafka.consumer("perf-bare");
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            List<TopicPartition> partitions = IntStream.range(0, parameters.partitions())
                    .mapToObj(p -> new TopicPartition(topics.filters(), p))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> until = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < until.getOrDefault(p, 0L))) {
                consumer.poll(POLL);
            }
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private void hold(LargeIndex index, Producer<byte[], byte[]> producer, Result.Builder result)
            throws InterruptedException, TimeoutException, MeasurementException {
        TopicPartition deliveries = new TopicPartition(topics.deliveries(LargeIndex.EDGE), 0);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        RouterConfig config = config("hold");
        try (Contender router = RouterContender.start(config, registry)) {
            awaitApplied(router, deliveries, index.interests());
            long before = end(deliveries);
            SteadyLoad load = SteadyLoad.start(
                    producer, index.publications(DISTINCT_PUBLICATIONS, parameters.payload()), parameters.rate());
            List<Double> behind;
            double cpuMicros;
            double perSecond;
            try (load) {
                TimeUnit.SECONDS.sleep(Math.max(1, parameters.seconds() / TENTH));
                StreamThreads threads = StreamThreads.of(router.applicationId());
                long cpu = threads.cpuNanos();
                long processed = router.processed();
                long begin = System.nanoTime();
                behind = watch(load, router);
                long routed = router.processed() - processed;
                cpuMicros = (threads.cpuNanos() - cpu) / 1e3 / routed;
                perSecond = routed * 1e9 / (System.nanoTime() - begin);
            }
            awaitEnd(router, deliveries, before + load.acknowledged());
            report(index, registry, behind, cpuMicros, perSecond, result);
            result.book("publications acknowledged", load.sent(), load.acknowledged())
                    .book("deliveries", load.acknowledged(), end(deliveries) - before);
        }
    }

    /** How many seconds' worth of publications the router was behind, second by second. */
    private List<Double> watch(SteadyLoad load, Contender router) throws InterruptedException, MeasurementException {
        List<Double> behind = new ArrayList<>();
        for (int s = 1; s <= parameters.seconds(); s++) {
            TimeUnit.SECONDS.sleep(1);
            if (load.failure() != null) {
                throw new MeasurementException("Kafka did not take a publication", load.failure());
            }
            requireAlive(router);
            // counted from when they were due, so that a producer that is held up does not hide it
            behind.add((load.sent() - router.processed()) / (double) parameters.rate());
            if (s % 30 == 0) {
                progress.line(
                        String.format(Locale.ROOT, "%d s: %,d sent, %.3f s behind", s, load.sent(), behind.get(s - 1)));
            }
        }
        return behind;
    }

    private void report(
            LargeIndex index,
            SimpleMeterRegistry registry,
            List<Double> behind,
            double cpuMicros,
            double perSecond,
            Result.Builder result) {
        int tenth = Math.max(1, behind.size() / TENTH);
        Measurement grown = new Measurement(
                "hold: seconds behind, last tenth − first tenth",
                "s",
                List.of(mean(behind.subList(behind.size() - tenth, behind.size())) - mean(behind.subList(0, tenth))));
        double bytes = registry.get("hereabouts.router.index.bytes").gauge().value();
        result.figure(new Measurement("hold: rate that was routed", "records/s", List.of(perSecond)))
                .figure(new Measurement("hold: seconds behind", "s", behind))
                .figure(grown)
                .figure(new Measurement("hold: router CPU a record", "µs", List.of(cpuMicros)))
                .figure(new Measurement("index", "bytes a pair", List.of(bytes / index.pairs())))
                .target(Target.atMost(MOST_SECONDS_BEHIND, grown));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private void awaitApplied(Contender router, TopicPartition deliveries, long interests)
            throws InterruptedException, MeasurementException {
        // each load above has said Applied for each interest as well, if it was not closed before
        long last = -1;
        long begin = System.nanoTime();
        while (end(deliveries) < interests || end(deliveries) != last) {
            last = end(deliveries);
            requirePatience(router, begin, "interests are applied");
        }
    }

    private void awaitEnd(Contender router, TopicPartition partition, long end)
            throws InterruptedException, MeasurementException {
        long begin = System.nanoTime();
        while (end(partition) < end) {
            requirePatience(router, begin, "deliveries are written");
        }
    }

    private static void requirePatience(Contender router, long begin, String what)
            throws InterruptedException, MeasurementException {
        requireAlive(router);
        if (System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
            throw new MeasurementException("waited " + START_TIMEOUT + " until all " + what);
        }
        TimeUnit.SECONDS.sleep(1);
    }

    private static void requireAlive(Contender router) throws MeasurementException {
        String problem = router.problem();
        if (!problem.isEmpty()) {
            throw new MeasurementException(router.applicationId() + ": " + problem);
        }
    }

    private long end(TopicPartition partition) {
        return ends.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
    }

    private RouterConfig config(String name) {
        return RouterConfig.builder(kafka, topics)
                .applicationId(topics.prefix() + name)
                .build();
    }

    @Override
    public void close() {
        // an interrupted consumer would not close
        boolean interrupted = Thread.interrupted();
        ends.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
