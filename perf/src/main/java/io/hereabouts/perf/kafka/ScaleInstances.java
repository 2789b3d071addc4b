package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.Target;
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
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/**
 * Routers that come one after the other while publications come at a fixed rate: what share of them each takes, how long
 * nothing was delivered while the partitions were dealt anew, and that nothing was lost. For one thread.
 */
final class ScaleInstances {

    private static final double EVEN = 1.1;
    private static final int SIZE = 10;
    private static final int DISTINCT_PUBLICATIONS = 100_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 5;

    private final ScaleParameters parameters;
    private final Progress progress;
    private final KafkaConnection kafka;
    private final TopicCatalogue topics =
            new TopicCatalogue("perf.instances.", ScaleParameters.PARTITIONS, (short) 1, Duration.ofDays(1));
    private final TopicPartition deliveries = new TopicPartition(topics.deliveries(LargeIndex.EDGE), 0);

    ScaleInstances(ScaleParameters parameters, Progress progress, KafkaConnection kafka) {
        this.parameters = parameters;
        this.progress = progress;
        this.kafka = kafka;
    }

    void measure(Result.Builder result) throws MeasurementException, InterruptedException, ExecutionException {
        try (TopicAdmin topicAdmin = new TopicAdmin(kafka, topics)) {
            topicAdmin.create(Stream.concat(topics.fixed().stream(), Stream.of(topics.deliveriesOf(LargeIndex.EDGE)))
                    .toList());
        }
        LargeIndex index = new LargeIndex(
                topics, parameters.seed(), parameters.entities() / SIZE + 1, SIZE, parameters.entities());
        Map<String, Object> settings = kafka.producer("perf-load");
        settings.put(ProducerConfig.LINGER_MS_CONFIG, 1);
        List<Contender> routers = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(settings);
                Admin admin = Admin.create(kafka.base("perf-admin"));
                Consumer<byte[], byte[]> ends = new KafkaConsumer<>(kafka.consumer("perf-ends"))) {
            index.write(producer);
            producer.flush();
            SteadyLoad load = SteadyLoad.start(
                    producer, index.publications(DISTINCT_PUBLICATIONS, parameters.payload()), parameters.rate());
            try (load) {
                while (routers.size() < parameters.instances()) {
                    routers.add(RouterContender.start(config(), new SimpleMeterRegistry()));
                    join(routers, load, admin, ends, result);
                }
            }
            books(routers, load, ends, result);
        } finally {
            routers.forEach(Contender::close);
        }
    }

    private void join(
            List<Contender> routers, SteadyLoad load, Admin admin, Consumer<byte[], byte[]> ends, Result.Builder result)
            throws MeasurementException, InterruptedException, ExecutionException {
        String step = "instances " + routers.size() + ":";
        Stillness still = new Stillness(ends);
        long begin = System.nanoTime();
        while (!isDealt(admin, routers.size())
                || routers.stream().anyMatch(router -> router.processed() == 0)
                || load.sent() - processed(routers) > parameters.rate()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                throw new MeasurementException(step + " the partitions are not shared after " + PATIENCE);
            }
            still.look();
        }
        if (routers.size() > 1) {
            result.figure(new Measurement(
                    step + " longest time without a delivery while it joins", "ms", List.of(still.longestMillis())));
        }
        List<Double> shares = shares(routers, still);
        Measurement largest = new Measurement(
                step + " largest share ÷ an even one",
                "×",
                List.of(shares.stream()
                        .mapToDouble(s -> s * routers.size())
                        .max()
                        .orElseThrow()));
        result.figure(largest).target(Target.atMost(EVEN, largest));
        progress.line(String.format(Locale.ROOT, "%s shares %s", step, shares));
    }

    private List<Double> shares(List<Contender> routers, Stillness still) throws InterruptedException {
        List<Long> before = routers.stream().map(Contender::processed).toList();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(parameters.seconds())) {
            still.look();
        }
        List<Long> routed = new ArrayList<>();
        for (int i = 0; i < routers.size(); i++) {
            routed.add(routers.get(i).processed() - before.get(i));
        }
        double all = routed.stream().mapToLong(Long::longValue).sum();
        return routed.stream().map(n -> n / all).toList();
    }

    /** Whether each member of the group has its part of the partitions. */
    private boolean isDealt(Admin admin, int members) throws InterruptedException, ExecutionException {
        String group = config().group();
        ConsumerGroupDescription description = Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(group)).all().get().get(group));
        int most = (ScaleParameters.PARTITIONS + members - 1) / members;
        return description.groupState() == GroupState.STABLE
                && description.members().size() == members
                && description.members().stream()
                        .mapToLong(member -> member.assignment().topicPartitions().stream()
                                .filter(partition -> partition.topic().equals(topics.publications()))
                                .count())
                        .allMatch(partitions -> partitions >= 1 && partitions <= most);
    }

    private void books(List<Contender> routers, SteadyLoad load, Consumer<byte[], byte[]> ends, Result.Builder result)
            throws MeasurementException, InterruptedException {
        long begin = System.nanoTime();
        while (processed(routers) < load.acknowledged()) {
            if (System.nanoTime() - begin > PATIENCE.toNanos()) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        // their producers are flushed when they close
        routers.forEach(Contender::close);
        routers.clear();
        RouteAudit audit = new RouteAudit(1);
        audit.router(ends, deliveries, 0);
        result.book("instances: publications acknowledged", load.sent(), load.acknowledged())
                .book("instances: publications delivered", load.acknowledged(), audit.deliveries() - audit.repeats())
                .note("instances: " + audit.repeats() + " deliveries were repeated, which edges drop");
    }

    private static long processed(List<Contender> routers) {
        return routers.stream().mapToLong(Contender::processed).sum();
    }

    private RouterConfig config() {
        return RouterConfig.builder(kafka, topics)
                .applicationId(topics.prefix() + "router")
                .build();
    }

    /** How long nothing was delivered, at most. */
    private final class Stillness {
        private final Consumer<byte[], byte[]> ends;
        private long end = -1;
        private long since = System.nanoTime();
        private long longest;

        Stillness(Consumer<byte[], byte[]> ends) {
            this.ends = ends;
            ends.assign(List.of(deliveries));
        }

        void look() throws InterruptedException {
            long now = ends.endOffsets(List.of(deliveries)).getOrDefault(deliveries, 0L);
            if (now > end) {
                longest = Math.max(longest, System.nanoTime() - since);
                end = now;
                since = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }

        double longestMillis() {
            return longest / 1e6;
        }
    }
}
