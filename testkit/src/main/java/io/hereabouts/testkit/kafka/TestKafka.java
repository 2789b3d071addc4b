package io.hereabouts.testkit.kafka;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A real Kafka broker in this JVM on a free port of localhost, its data deleted on {@link #close}. Modules that use it
 * bring {@code kafka-test-common-runtime} themselves, in test scope.
 */
public final class TestKafka implements AutoCloseable {

    private final KafkaClusterTestKit cluster;

    private TestKafka(KafkaClusterTestKit cluster) {
        this.cluster = cluster;
    }

    /** Starts a broker and waits until it is ready. */
    public static TestKafka start() {
        return start(Map.of());
    }

    /** Starts a broker with these settings on top of the usual ones, and waits until it is ready. */
    public static TestKafka start(Map<String, String> settings) {
        MetadataVersion version = MetadataVersion.latestProduction();
        Map<String, Short> features = new TreeMap<>();
        for (Feature feature : Feature.PRODUCTION_FEATURES) {
            features.put(feature.featureName(), feature.defaultLevel(version));
        }
        Map<String, String> all = new TreeMap<>(Map.of(
                "offsets.topic.num.partitions", "1",
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.num.partitions", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "log.cleaner.dedupe.buffer.size", "2097152",
                "group.initial.rebalance.delay.ms", "0",
                "auto.create.topics.enable", "false",
                "message.max.bytes", "17825792"));
        all.putAll(settings);
        try {
            TestKitNodes nodes = new TestKitNodes.Builder()
                    .setCombined(true)
                    .setNumBrokerNodes(1)
                    .setNumControllerNodes(1)
                    .setBootstrapMetadata(BootstrapMetadata.fromVersions(version, features, "test"))
                    .build();
            KafkaClusterTestKit.Builder builder = new KafkaClusterTestKit.Builder(nodes);
            all.forEach(builder::setConfigProp);
            KafkaClusterTestKit cluster = builder.build();
            cluster.format();
            cluster.startup();
            cluster.waitForReadyBrokers();
            return new TestKafka(cluster);
        } catch (Exception e) {
            throw new IllegalStateException("Kafka did not start", e);
        }
    }

    /** {@code host:port} for clients, of this process and of others on this machine. */
    public String bootstrapServers() {
        return cluster.bootstrapServers();
    }

    @Override
    public void close() {
        try {
            cluster.close();
        } catch (Exception e) {
            throw new IllegalStateException("Kafka did not stop", e);
        }
    }
}
