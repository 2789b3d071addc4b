package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Our Kafka topics: names, partitions and settings, in one place. Immutable.
 *
 * @param prefix begins every name, {@code hereabouts.} by default
 * @param generation of {@code publications} and {@code filters}
 * @param entityPartitions of {@code entities}; at least 1
 * @param replicationFactor at least 1
 * @param retention how long publications and deliveries are kept
 */
public record TopicCatalogue(
        String prefix, Generation generation, int entityPartitions, short replicationFactor, Duration retention) {

    private static final int MAX_DELIVERY_BATCH_BYTES = 4 << 20;

    /** A delivery may have so many bytes; what is around it in Kafka has room besides. */
    public static final int MAX_DELIVERY_BYTES = MAX_DELIVERY_BATCH_BYTES - 4_096;

    private static final int INTEREST_PARTITIONS = 12;
    private static final int MESSAGE_PARTITIONS = 12;
    private static final int RETAINED_PARTITIONS = 12;

    /** A publication, and a key that may have a topic name of 65,535 bytes. */
    private static final String MAX_RETAINED_BYTES = String.valueOf(2_097_152 + 131_072);

    /** A publication, and a client id in the key besides. */
    private static final int MAX_WILL_BYTES = 2_228_224;

    public TopicCatalogue {
        if (entityPartitions < 1) {
            throw new IllegalArgumentException("topics.partitions is " + entityPartitions + ", expected at least 1");
        }
        if (replicationFactor < 1) {
            throw new IllegalArgumentException("topics.replication is " + replicationFactor + ", expected at least 1");
        }
        if (retention.toMillis() < 1) {
            throw new IllegalArgumentException("topics.retention is " + retention + ", expected at least 1 ms");
        }
    }

    /**
     * As they are before anybody lets them grow.
     *
     * @param partitions of {@code publications}, {@code filters} and {@code entities}
     */
    public TopicCatalogue(String prefix, int partitions, short replicationFactor, Duration retention) {
        this(prefix, Generation.first(partitions), partitions, replicationFactor, retention);
    }

    /** Names with the default prefix; one replica, a day of retention. */
    public static TopicCatalogue withPartitions(int partitions) {
        return new TopicCatalogue("hereabouts.", partitions, (short) 1, Duration.ofDays(1));
    }

    /** The same with the {@code publications} and {@code filters} of another generation. */
    public TopicCatalogue at(Generation other) {
        return new TopicCatalogue(prefix, other, entityPartitions, replicationFactor, retention);
    }

    /** Of {@code publications} and {@code filters}. */
    public int partitions() {
        return generation.partitions();
    }

    public String publications() {
        return prefix + "publications" + generation.suffix();
    }

    public String interests() {
        return prefix + "interests";
    }

    public String filters() {
        return prefix + "filters" + generation.suffix();
    }

    /** The partitions of {@code filters} of these generations, each with the number of its generation. */
    public Map<TopicPartition, Integer> filterPartitions(Generations generations) {
        Map<TopicPartition, Integer> partitions = new HashMap<>();
        for (Generation each : generations.all()) {
            String filters = at(each).filters();
            for (int p = 0; p < each.partitions(); p++) {
                partitions.put(new TopicPartition(filters, p), each.number());
            }
        }
        return partitions;
    }

    public String subscriptions() {
        return prefix + "subscriptions";
    }

    /** What is published when connections are lost. */
    public String wills() {
        return prefix + "wills";
    }

    /** Messages without entity that edges carry to each other. */
    public String messages() {
        return prefix + "messages";
    }

    /** Under whose name an edge says how far its messages have come. */
    public String messagesGroup(EdgeId edge) {
        return messages() + "." + edge.value();
    }

    /** Which edge has the session of a client. */
    public String sessions() {
        return prefix + "sessions";
    }

    /** The last retained publication for each topic name and entity. */
    public String retained() {
        return prefix + "retained";
    }

    public String edges() {
        return prefix + "edges";
    }

    public String entities() {
        return prefix + "entities";
    }

    /** Says which generations there are. */
    public String generations() {
        return prefix + "generations";
    }

    public String deadLetters() {
        return prefix + "dead-letters";
    }

    /** The Kafka topic of one edge. */
    public String deliveries(EdgeId edge) {
        return prefix + "deliveries." + edge.value();
    }

    /** Under whose name an edge says how far its deliveries have come. */
    public String deliveriesGroup(EdgeId edge) {
        return deliveries(edge);
    }

    /** What the names of the routers' consumer groups begin with. */
    public String routerGroups() {
        return prefix + "router";
    }

    /** The consumer group of the routers of this generation. */
    public String routerGroup() {
        return routerGroups() + generation.suffix();
    }

    /** The topics that exist before anything starts, in the order they are reported. */
    public List<TopicSpec> fixed() {
        List<TopicSpec> all = new ArrayList<>(ofGeneration());
        all.addAll(List.of(
                new TopicSpec(interests(), INTEREST_PARTITIONS, compact(Map.of())),
                new TopicSpec(
                        entities(),
                        entityPartitions,
                        compact(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "16842752"))),
                new TopicSpec(subscriptions(), 1, compact(Map.of())),
                new TopicSpec(
                        wills(),
                        1,
                        compact(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(MAX_WILL_BYTES)))),
                new TopicSpec(sessions(), 1, compact(Map.of())),
                new TopicSpec(
                        retained(),
                        RETAINED_PARTITIONS,
                        compact(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, MAX_RETAINED_BYTES))),
                new TopicSpec(
                        messages(),
                        MESSAGE_PARTITIONS,
                        delete(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "2097152"))),
                new TopicSpec(edges(), 1, compact(Map.of())),
                generationsTopic(),
                new TopicSpec(
                        deadLetters(),
                        1,
                        delete(Map.of(
                                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                String.valueOf(KafkaConnection.MAX_FILTER_RECORD_BYTES + 65_536))))));
        return all;
    }

    /** {@code publications} and {@code filters}. */
    public List<TopicSpec> ofGeneration() {
        return List.of(
                new TopicSpec(
                        publications(), partitions(), delete(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "2097152"))),
                new TopicSpec(
                        filters(),
                        partitions(),
                        compact(Map.of(
                                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                String.valueOf(KafkaConnection.MAX_FILTER_RECORD_BYTES + 65_536),
                                TopicConfig.SEGMENT_BYTES_CONFIG,
                                "67108864"))));
    }

    /** The topic that says which of the others there are. */
    public TopicSpec generationsTopic() {
        return new TopicSpec(generations(), 1, compact(Map.of()));
    }

    /** Says that a topic has another number of partitions than it should have, and what to do. */
    public String wrongPartitions(TopicSpec topic, int found) {
        String wrong = "has " + found + " partitions, expected " + topic.partitions();
        boolean isSet = List.of(publications(), filters(), entities()).contains(topic.name());
        return isSet && found > 0 && found < topic.partitions()
                ? wrong + ": set topics.partitions=" + found + " and run 'hereabouts topics grow --partitions "
                        + topic.partitions() + "'"
                : wrong;
    }

    /** The topic that an edge creates for itself. */
    public TopicSpec deliveriesOf(EdgeId edge) {
        return new TopicSpec(
                deliveries(edge),
                1,
                delete(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, String.valueOf(MAX_DELIVERY_BATCH_BYTES))));
    }

    private Map<String, String> delete(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        settings.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(retention.toMillis()));
        return settings;
    }

    private static Map<String, String> compact(Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(more);
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        settings.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        settings.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, "600000");
        settings.put(TopicConfig.DELETE_RETENTION_MS_CONFIG, "86400000");
        return settings;
    }

    /**
     * One Kafka topic as it should be.
     *
     * @param settings the topic settings that {@code topics check} compares
     */
    public record TopicSpec(String name, int partitions, Map<String, String> settings) {
        public TopicSpec {
            settings = Map.copyOf(settings);
        }
    }
}
