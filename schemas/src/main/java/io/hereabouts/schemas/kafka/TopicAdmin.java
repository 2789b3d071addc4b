package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates and checks our Kafka topics. Each new topic gets an acknowledged probe in each partition before anyone uses
 * it: without that the first idempotent writes to a new topic can be lost (KAFKA-15591). Not thread-safe.
 */
public final class TopicAdmin implements AutoCloseable {

    /** How long a new topic may take to acknowledge its probes. */
    static final Duration PROBE_TIMEOUT = Duration.ofSeconds(30);

    private final KafkaConnection kafka;
    private final TopicCatalogue catalogue;
    private final Admin admin;

    public TopicAdmin(KafkaConnection kafka, TopicCatalogue catalogue) {
        this.kafka = kafka;
        this.catalogue = catalogue;
        this.admin = Admin.create(kafka.base("hereabouts-topics"));
    }

    /** The catalogue in the generation that Kafka has now; as the settings have it where there are no topics yet. */
    public TopicCatalogue asGrown() throws InterruptedException, ExecutionException, TimeoutException {
        return partitionsOf(catalogue.generations()).isEmpty()
                ? catalogue
                : catalogue.at(
                        GenerationsTopic.read(kafka, catalogue, PROBE_TIMEOUT).current());
    }

    /**
     * Creates those of the topics that do not exist, and proves that each partition of them takes writes.
     *
     * @return the names of the topics it created
     */
    public List<String> create(Collection<TopicSpec> topics) throws InterruptedException, ExecutionException {
        List<String> created = new ArrayList<>();
        List<TopicSpec> toProbe = new ArrayList<>();
        for (TopicSpec topic : topics) {
            try {
                admin.createTopics(List.of(new NewTopic(topic.name(), topic.partitions(), catalogue.replicationFactor())
                                .configs(topic.settings())))
                        .all()
                        .get();
                created.add(topic.name());
                toProbe.add(topic);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
        probe(toProbe);
        return created;
    }

    /** What is wrong with the topics, a line each; empty if nothing is. */
    public List<String> check(Collection<TopicSpec> topics) throws InterruptedException, ExecutionException {
        List<String> problems = new ArrayList<>();
        for (TopicSpec topic : topics) {
            Optional<TopicDescription> found = describe(topic.name());
            if (found.isEmpty()) {
                problems.add(topic.name() + ": missing; create it with 'hereabouts topics init'");
                continue;
            }
            int partitions = found.get().partitions().size();
            if (partitions != topic.partitions()) {
                problems.add(topic.name() + ": " + catalogue.wrongPartitions(topic, partitions));
            }
            ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
            Config actual = admin.describeConfigs(List.of(resource)).all().get().get(resource);
            for (Map.Entry<String, String> wanted : new TreeMap<>(topic.settings()).entrySet()) {
                ConfigEntry entry = actual == null ? null : actual.get(wanted.getKey());
                String value = entry == null ? null : entry.value();
                if (!wanted.getValue().equals(value)) {
                    problems.add(
                            topic.name() + ": " + wanted.getKey() + " is " + value + ", expected " + wanted.getValue());
                }
            }
        }
        return problems;
    }

    /** How many partitions the topic has; empty if it does not exist. */
    public Optional<Integer> partitionsOf(String topic) throws InterruptedException, ExecutionException {
        return describe(topic).map(d -> d.partitions().size());
    }

    private Optional<TopicDescription> describe(String topic) throws InterruptedException, ExecutionException {
        try {
            return Optional.ofNullable(
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private void probe(Collection<TopicSpec> topics) throws InterruptedException, ExecutionException {
        if (topics.isEmpty()) {
            return;
        }
        Map<String, Object> settings = kafka.producer("hereabouts-probe");
        settings.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PROBE_TIMEOUT.toMillis());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PROBE_TIMEOUT.toMillis() / 2);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            List<Future<RecordMetadata>> acks = new ArrayList<>();
            for (TopicSpec topic : topics) {
                for (int p = 0; p < topic.partitions(); p++) {
                    acks.add(producer.send(new ProducerRecord<>(topic.name(), p, Keys.probe(), null)));
                }
            }
            for (Future<RecordMetadata> ack : acks) {
                ack.get();
            }
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
