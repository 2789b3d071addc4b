package io.hereabouts.bridge;

import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5Disconnect;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.suback.Mqtt5SubAck;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.subscription.TopicSubscription;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A Kafka that all tests share, topics and edges of one test's own, and clients. */
final class EdgeStack implements AutoCloseable {

    private static final AtomicInteger STACKS = new AtomicInteger();

    /** Started once for all tests of this JVM, by the first that needs it; {@link SharedKafkaEnd} stops it. */
    static final class SharedKafka {
        private static @Nullable TestKafka kafka;

        private SharedKafka() {}

        static synchronized TestKafka get() {
            TestKafka running = kafka == null ? TestKafka.start() : kafka;
            kafka = running;
            return running;
        }

        static synchronized void stop() {
            if (kafka != null) {
                kafka.close();
            }
        }
    }

    final KafkaConnection kafka;
    final TopicCatalogue topics;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Deque<Runnable> closers = new ArrayDeque<>();

    EdgeStack() {
        this(KafkaConnection.to(SharedKafka.get().bootstrapServers()));
    }

    EdgeStack(KafkaConnection kafka) {
        this.kafka = kafka;
        this.topics = new TopicCatalogue("s" + STACKS.incrementAndGet() + ".", 3, (short) 1, Duration.ofHours(1));
        try (TopicAdmin admin = new TopicAdmin(kafka, topics)) {
            admin.create(topics.fixed());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    ScriptedPipeline pipeline() {
        ScriptedPipeline pipeline = new ScriptedPipeline(kafka, topics);
        closers.push(pipeline::close);
        return pipeline;
    }

    Edge edge(String name) {
        return edge(name, b -> b);
    }

    Edge edge(String name, UnaryOperator<EdgeConfig.Builder> with) {
        Edge edge = Edge.launch(
                with.apply(EdgeConfig.builder(EdgeId.of(name), kafka, topics)).build(), registry);
        closers.push(edge::close);
        return edge;
    }

    Client client(Edge edge, String id) {
        Client client = new Client(edge, id);
        client.mqtt.connect();
        closers.push(client::close);
        return client;
    }

    /** A client that keeps what it gets. */
    static final class Client implements AutoCloseable {
        final Mqtt5BlockingClient mqtt;
        final Mqtt5AsyncClient async;
        final BlockingQueue<Mqtt5Publish> received = new LinkedBlockingQueue<>();
        volatile @Nullable Throwable disconnectCause;

        Client(Edge edge, String id) {
            mqtt = MqttClient.builder()
                    .useMqttVersion5()
                    .identifier(id)
                    .serverHost("localhost")
                    .serverPort(edge.port())
                    .addDisconnectedListener(context -> disconnectCause = context.getCause())
                    .buildBlocking();
            async = mqtt.toAsync();
            async.publishes(MqttGlobalPublishFilter.ALL, received::add);
        }

        Mqtt5SubAck subscribe(String filter, MqttQos qos, String... properties) {
            return mqtt.subscribe(subscribeMessage(filter, qos, properties));
        }

        static Mqtt5Subscribe subscribeMessage(String filter, MqttQos qos, String... properties) {
            return Mqtt5Subscribe.builder()
                    .topicFilter(filter)
                    .qos(qos)
                    .userProperties(EdgeStack.properties(properties))
                    .build();
        }

        static Mqtt5Publish message(String topic, MqttQos qos, String payload, String... properties) {
            return Mqtt5Publish.builder()
                    .topic(topic)
                    .qos(qos)
                    .payload(payload.getBytes(StandardCharsets.UTF_8))
                    .userProperties(EdgeStack.properties(properties))
                    .build();
        }

        /** The DISCONNECT that the broker sent. */
        Mqtt5Disconnect disconnect() {
            Throwable cause = await().until(() -> disconnectCause, Objects::nonNull);
            if (cause instanceof Mqtt5DisconnectException e) {
                return e.getMqttMessage();
            }
            throw new AssertionError("expected a DISCONNECT, found " + cause);
        }

        void publish(String topic, MqttQos qos, String payload, String... properties) {
            mqtt.publish(message(topic, qos, payload, properties));
        }

        List<String> payloads() {
            return received.stream().map(EdgeStack::payload).toList();
        }

        @Override
        public void close() {
            if (mqtt.getState().isConnected()) {
                mqtt.disconnect();
            }
        }
    }

    /** Topic filters that HiveMQ has stored for the client; of the edge that was started last. */
    static Set<String> stored(String client) {
        return Services.subscriptionStore().getSubscriptions(client).join().stream()
                .map(TopicSubscription::getTopicFilter)
                .collect(Collectors.toSet());
    }

    static String payload(Mqtt5Publish publish) {
        return new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8);
    }

    static List<String> property(Mqtt5Publish publish, String name) {
        List<String> values = new ArrayList<>();
        for (Mqtt5UserProperty p : publish.getUserProperties().asList()) {
            if (p.getName().toString().equals(name)) {
                values.add(p.getValue().toString());
            }
        }
        return values;
    }

    static Mqtt5UserProperties properties(String... namesAndValues) {
        List<Mqtt5UserProperty> all = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            all.add(Mqtt5UserProperty.of(namesAndValues[i], namesAndValues[i + 1]));
        }
        return Mqtt5UserProperties.of(all);
    }

    /** A descriptor of entities near a reference. */
    static String descriptor(String reference) {
        return "{\"stages\":[{\"references\":[\"" + reference + "\"],\"categories\":[\"detector\"]}]}";
    }

    static NeighborhoodId neighborhood(String descriptor) {
        try {
            return new DescriptorParser(DescriptorLimits.DEFAULT)
                    .parse(descriptor)
                    .id();
        } catch (InvalidDescriptorException e) {
            throw new IllegalArgumentException(e);
        }
    }

    double count(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(Counter::count)
                .sum();
    }

    /** What a compacted Kafka topic holds, keys and values as text that can be compared. */
    Map<String, String> table(String topic) {
        Map<String, String> table = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : records(topic)) {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.value() == null) {
                table.remove(key);
            } else {
                table.put(key, java.util.HexFormat.of().formatHex(record.value()));
            }
        }
        return table;
    }

    /** All records of a Kafka topic but probes. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        Map<String, Object> settings = kafka.consumer("test-reader");
        // a consumer that closes waits for the fetch that is under way
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                consumer.poll(Duration.ofMillis(100)).forEach(all::add);
            }
        }
        all.removeIf(r -> Keys.isProbe(r.key()));
        return all;
    }

    @Override
    public void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }
}
