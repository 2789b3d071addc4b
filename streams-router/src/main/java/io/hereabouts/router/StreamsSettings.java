package io.hereabouts.router;

import io.hereabouts.schemas.kafka.KafkaConnection;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;

/**
 * The settings of Kafka Streams, and why those that matter are as they are. Public so that another topology can be
 * measured under the same settings. No state.
 */
public final class StreamsSettings {

    private StreamsSettings() {}

    /** The settings that a router with this configuration runs under. */
    public static Properties of(RouterConfig config) {
        Map<String, Object> s = new HashMap<>(config.kafka().settings());
        s.put(StreamsConfig.APPLICATION_ID_CONFIG, config.group());
        s.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafka().bootstrapServers());
        s.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
        s.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        s.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class);
        s.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitInterval().toMillis());
        s.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        s.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");

        // The order between filters and publications does not matter, so a task never waits for the other input.
        s.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);

        // The store has no changelog: the default assignor would deal its tasks anew, and each move is a load.
        // A standby would become active without the load.
        s.put(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, StickyTaskAssignor.class.getName());
        s.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 0);

        if (config.guarantee() == RouterConfig.Guarantee.EXACTLY_ONCE) {
            s.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
            // A killed router's open transaction hides what is written after it for this long.
            producer(s, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, (int)
                    config.transactionTimeout().toMillis());
        } else {
            s.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        }

        long session = config.sessionTimeout().toMillis();
        consumer(s, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) session);
        consumer(s, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) Math.max(100, Math.min(3_000, session / 4)));
        consumer(s, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        consumer(s, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.instanceId().ifPresent(id -> consumer(s, ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));

        // Kafka Streams' default of 100 ms would be most of a delivery's latency.
        producer(s, ProducerConfig.LINGER_MS_CONFIG, (int) config.linger().toMillis());
        producer(s, ProducerConfig.BATCH_SIZE_CONFIG, 131_072);
        producer(s, ProducerConfig.ACKS_CONFIG, "all");
        producer(s, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaConnection.MAX_FILTER_RECORD_BYTES + 65_536);

        Properties properties = new Properties();
        properties.putAll(s);
        return properties;
    }

    private static void consumer(Map<String, Object> settings, String key, Object value) {
        settings.put(StreamsConfig.mainConsumerPrefix(key), value);
    }

    private static void producer(Map<String, Object> settings, String key, Object value) {
        settings.put(StreamsConfig.producerPrefix(key), value);
    }
}
