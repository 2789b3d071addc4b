package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.hereabouts.testkit.kafka.TestKafka;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * The first writes to a new Kafka topic while its broker does not know yet that it leads it (KAFKA-15591): the first
 * batch is refused, the second comes a moment later and is accepted, and from then on the first is out of order.
 */
class NewTopicIT {

    private static final TestKafka KAFKA = TestKafka.start();
    private static final int BROKER =
            URI.create("kafka://" + KAFKA.bootstrapServers()).getPort();

    private final TopicCatalogue topics = TopicCatalogue.withPartitions(1);

    @AfterAll
    static void stopKafka() {
        KAFKA.close();
    }

    /** The control: without it the test below would not show anything. */
    @Test
    void shouldLoseTheFirstWriteToATopicThatWasNotProbed() throws Exception {
        TopicSpec topic = topics.deliveriesOf(EdgeId.of("unprobed"));
        try (NewTopicProxy proxy = NewTopicProxy.before(BROKER)) {
            KafkaConnection kafka = KafkaConnection.to(proxy.bootstrapServers());
            try (Admin admin = Admin.create(kafka.base("test"));
                    KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
                admin.createTopics(List.of(new NewTopic(topic.name(), topic.partitions(), (short) 1)))
                        .all()
                        .get();
                Future<RecordMetadata> first = send(producer, topic, "first");
                assertThat(proxy.awaitFirst(30)).isTrue();
                Future<RecordMetadata> second = send(producer, topic, "second");

                assertThat(second.get().offset()).isZero();
                assertThatThrownBy(first::get)
                        .cause()
                        .isInstanceOfAny(OutOfOrderSequenceException.class, TimeoutException.class);
            }
            assertThat(read(topic)).containsExactly("second");
        }
    }

    @Test
    void shouldLoseNothingOfATopicThatTopicAdminCreated() throws Exception {
        TopicSpec topic = topics.deliveriesOf(EdgeId.of("probed"));
        try (NewTopicProxy proxy = NewTopicProxy.before(BROKER)) {
            KafkaConnection kafka = KafkaConnection.to(proxy.bootstrapServers());
            try (TopicAdmin admin = new TopicAdmin(kafka, topics);
                    KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
                admin.create(List.of(topic));
                assertThat(proxy.awaitFirst(0))
                        .as("the probe came when the broker did not lead yet")
                        .isTrue();
                Future<RecordMetadata> first = send(producer, topic, "first");
                Future<RecordMetadata> second = send(producer, topic, "second");

                assertThat(first.get().offset()).isLessThan(second.get().offset());
            }
            assertThat(read(topic)).containsExactly("first", "second");
        }
    }

    /** As ours are, but less patient. */
    private static KafkaProducer<byte[], byte[]> producer(KafkaConnection kafka) {
        Map<String, Object> settings = kafka.producer("new-topic");
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 3_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 4_000);
        return new KafkaProducer<>(settings);
    }

    private static Future<RecordMetadata> send(KafkaProducer<byte[], byte[]> producer, TopicSpec topic, String value) {
        return producer.send(new ProducerRecord<>(
                topic.name(), 0, "k".getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8)));
    }

    /** What the topic holds, but for probes. */
    private static List<String> read(TopicSpec topic) {
        List<String> values = new ArrayList<>();
        KafkaConnection direct = KafkaConnection.to(KAFKA.bootstrapServers());
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(direct.consumer("test-reader"))) {
            TopicPartition partition = new TopicPartition(topic.name(), 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    if (!Keys.isProbe(record.key())) {
                        values.add(new String(record.value(), StandardCharsets.UTF_8));
                    }
                }
            }
        }
        return values;
    }
}
