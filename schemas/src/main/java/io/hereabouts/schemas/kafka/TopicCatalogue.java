package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Our Kafka topics: names, partitions and settings, in one place. Immutable.
 *
 * @param prefix begins every name, {@code hereabouts.} by default
 * @param partitions of {@code publications} and {@code filters}, which must be equal; at least 1
 * @param replicationFactor at least 1
 * @param retention how long publications and deliveries are kept
 */
public record TopicCatalogue(String prefix, int partitions, short replicationFactor, Duration retention) {

    /** Generation of {@code publications} and {@code filters}; growing the partitions will make the next. */
    public static final int GENERATION = 1;

    private static final int INTEREST_PARTITIONS = 12;

    public TopicCatalogue {
        if (partitions < 1) {
            throw new IllegalArgumentException("topics.partitions is " + partitions + ", expected at least 1");
        }
        if (replicationFactor < 1) {
            throw new IllegalArgumentException("topics.replication is " + replicationFactor + ", expected at least 1");
        }
        if (retention.toMillis() < 1) {
            throw new IllegalArgumentException("topics.retention is " + retention + ", expected at least 1 ms");
        }
    }

    /** Names with the default prefix; one replica, a day of retention. */
    public static TopicCatalogue withPartitions(int partitions) {
        return new TopicCatalogue("hereabouts.", partitions, (short) 1, Duration.ofDays(1));
    }

    public String publications() {
        return prefix + "publications";
    }

    public String interests() {
        return prefix + "interests";
    }

    public String filters() {
        return prefix + "filters";
    }

    public String subscriptions() {
        return prefix + "subscriptions";
    }

    public String edges() {
        return prefix + "edges";
    }

    public String entities() {
        return prefix + "entities";
    }

    public String deadLetters() {
        return prefix + "dead-letters";
    }

    /** The Kafka topic of one edge. */
    public String deliveries(EdgeId edge) {
        return prefix + "deliveries." + edge.value();
    }

    /** The topics that exist before anything starts, in the order they are reported. */
    public List<TopicSpec> fixed() {
        return List.of(
                new TopicSpec(
                        publications(), partitions, delete(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "2097152"))),
                new TopicSpec(
                        filters(),
                        partitions,
                        compact(Map.of(
                                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                String.valueOf(KafkaConnection.MAX_FILTER_RECORD_BYTES + 65_536),
                                TopicConfig.SEGMENT_BYTES_CONFIG,
                                "67108864"))),
                new TopicSpec(interests(), INTEREST_PARTITIONS, compact(Map.of())),
                new TopicSpec(
                        entities(), partitions, compact(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "16842752"))),
                new TopicSpec(subscriptions(), 1, compact(Map.of())),
                new TopicSpec(edges(), 1, compact(Map.of())),
                new TopicSpec(
                        deadLetters(),
                        1,
                        delete(Map.of(
                                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                                String.valueOf(KafkaConnection.MAX_FILTER_RECORD_BYTES + 65_536)))));
    }

    /** The topic that an edge creates for itself. */
    public TopicSpec deliveriesOf(EdgeId edge) {
        return new TopicSpec(deliveries(edge), 1, delete(Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "4194304")));
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
