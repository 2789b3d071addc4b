package io.hereabouts.schemas.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How to reach Kafka, and the settings that all of our clients share. Immutable.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas
 * @param settings any further client setting (security, …), passed through to every client; those that begin with
 *     {@code producer.} or {@code consumer.} to such clients only, before what the rest of them have
 */
public record KafkaConnection(String bootstrapServers, Map<String, String> settings) {

    /** The largest record of {@code filters}, in bytes. */
    public static final int MAX_FILTER_RECORD_BYTES = 16 * 1024 * 1024;

    public KafkaConnection {
        if (bootstrapServers.isBlank()) {
            throw new IllegalArgumentException("kafka.bootstrap-servers is blank, expected host:port");
        }
        settings = Map.copyOf(settings);
    }

    /** A connection without further settings. */
    public static KafkaConnection to(String bootstrapServers) {
        return new KafkaConnection(bootstrapServers, Map.of());
    }

    /** Settings for an admin client or for Kafka Streams. */
    public Map<String, Object> base(String clientId) {
        Map<String, Object> base = new HashMap<>(settings);
        base.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        base.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        return base;
    }

    /** Settings for a producer of bytes: idempotent, acks=all, in order, linger 0. */
    public Map<String, Object> producer(String clientId) {
        Map<String, Object> p = base(clientId);
        p.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        p.put(ProducerConfig.BATCH_SIZE_CONFIG, 131_072);
        p.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_FILTER_RECORD_BYTES + 65_536);
        p.putAll(only("producer."));
        // what guarantees depend on
        p.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        p.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        p.put(ProducerConfig.ACKS_CONFIG, "all");
        p.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        return p;
    }

    /** Settings for a consumer of bytes without group: it is assigned by hand and commits nothing. */
    public Map<String, Object> consumer(String clientId) {
        Map<String, Object> c = base(clientId);
        c.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, MAX_FILTER_RECORD_BYTES);
        c.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 2_000);
        c.putAll(only("consumer."));
        // what guarantees depend on
        c.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        c.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        c.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        c.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        c.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return c;
    }

    /** As {@link #consumer}, for a topic that is written in transactions: reads what was committed. */
    public Map<String, Object> committedConsumer(String clientId) {
        Map<String, Object> c = consumer(clientId);
        c.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return c;
    }

    private Map<String, Object> only(String prefix) {
        Map<String, Object> only = new HashMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                only.put(key.substring(prefix.length()), value);
            }
        });
        return only;
    }

    /** Nothing of the settings: passwords are among them. */
    @Override
    public String toString() {
        return "KafkaConnection[" + bootstrapServers + "]";
    }
}
