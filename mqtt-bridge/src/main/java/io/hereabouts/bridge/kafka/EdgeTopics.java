package io.hereabouts.bridge.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** What an edge needs to find in Kafka. No state. */
public final class EdgeTopics {

    private EdgeTopics() {}

    /**
     * Checks that the Kafka topics are there with their partitions.
     *
     * @throws IllegalStateException naming each topic that is not as it should be
     */
    public static void check(KafkaConnection kafka, TopicCatalogue topics) throws InterruptedException {
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            List<String> problems = new ArrayList<>();
            for (TopicSpec topic : topics.fixed()) {
                Optional<Integer> partitions = admin.partitionsOf(topic.name());
                if (partitions.isEmpty()) {
                    problems.add(topic.name() + " is missing");
                } else if (partitions.get() != topic.partitions()) {
                    problems.add(topic.name() + " " + topics.wrongPartitions(topic, partitions.get()));
                }
            }
            if (!problems.isEmpty()) {
                throw new IllegalStateException("Kafka topics: " + String.join("; ", problems)
                        + "; see 'hereabouts topics check', create with 'hereabouts topics init'");
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("Kafka topics cannot be checked: " + e.getCause(), e);
        }
    }

    /** Creates and probes the edge's own; to be called by who has the edge's lease, before its first interest. */
    public static void create(KafkaConnection kafka, TopicCatalogue topics, EdgeId edge) throws InterruptedException {
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(List.of(topics.deliveriesOf(edge)));
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "Kafka topic " + topics.deliveries(edge) + " cannot be created: " + e.getCause(), e);
        }
    }
}
