package io.hereabouts.router;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks Kafka for the topics of the edges that were ever interested, and for those only; reads who lives. */
final class KafkaEdgeTopics implements EdgeTopics, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEdgeTopics.class);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MISS_HOLDS = Duration.ofSeconds(1);

    private final TopicCatalogue catalogue;
    private final Admin admin;
    private final LivingEdges living;
    private final Map<EdgeId, EdgeTopic> topics = new ConcurrentHashMap<>();
    private final ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "hereabouts-router-edges");
        thread.setDaemon(true);
        return thread;
    });

    KafkaEdgeTopics(RouterConfig config) {
        this.catalogue = config.topics();
        this.living = LivingEdges.follow(config);
        this.admin = Admin.create(config.kafka().base("hereabouts-router-edges"));
        long interval = config.edgeCheckInterval().toMillis();
        var unused = checks.scheduleWithFixedDelay(this::checkAll, interval, interval, TimeUnit.MILLISECONDS);
    }

    @Override
    public EdgeTopic of(EdgeId edge) {
        return topics.computeIfAbsent(edge, e -> new EdgeTopic(catalogue.deliveries(e)));
    }

    @Override
    public boolean ask(EdgeTopic topic) {
        long now = System.nanoTime();
        if (topic.exists()) {
            return true;
        }
        if (topic.wasMissedSince(now - MISS_HOLDS.toNanos())) {
            return false;
        }
        return note(topic, admin.describeTopics(List.of(topic.name())).topicNameValues());
    }

    @Override
    public boolean lives(EdgeId edge) {
        return living.contains(edge);
    }

    @Override
    public void forgetMisses() {
        topics.values().forEach(EdgeTopic::forgetMiss);
    }

    private void checkAll() {
        try {
            Map<EdgeId, EdgeTopic> asked = Map.copyOf(topics);
            Map<String, KafkaFuture<TopicDescription>> answers = admin.describeTopics(
                            asked.values().stream().map(EdgeTopic::name).toList())
                    .topicNameValues();
            asked.values().forEach(topic -> note(topic, answers));
        } catch (RuntimeException e) {
            LOG.warn("the Kafka topics of the edges could not be checked: {}", e.toString());
        }
    }

    private static boolean note(EdgeTopic topic, Map<String, KafkaFuture<TopicDescription>> answers) {
        try {
            Objects.requireNonNull(answers.get(topic.name())).get(ANSWER_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            topic.seen();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                topic.missing(System.nanoTime());
                return false;
            }
            throw new TimeoutException("Kafka did not say whether " + topic.name() + " exists", e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new TimeoutException("Kafka did not say in time whether " + topic.name() + " exists", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void close() {
        living.close();
        checks.shutdownNow();
        admin.close(Duration.ofSeconds(5));
    }
}
