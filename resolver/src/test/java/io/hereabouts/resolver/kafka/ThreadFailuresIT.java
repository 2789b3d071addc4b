package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No thread of the resolver dies without anybody knowing. */
class ThreadFailuresIT {

    private static final TopicCatalogue TOPICS = TopicCatalogue.withPartitions(1);

    private static TestKafka broker;
    private static KafkaConnection kafka;

    @BeforeAll
    static void startKafka() throws Exception {
        broker = TestKafka.start();
        kafka = KafkaConnection.to(broker.bootstrapServers());
        try (TopicAdmin admin = new TopicAdmin(kafka, TOPICS)) {
            admin.create(TOPICS.fixed());
        }
    }

    @AfterAll
    static void stopKafka() {
        broker.close();
    }

    @Test
    void shouldReportARecordThatItsReaderChokesOn() throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer("test"))) {
            producer.send(new ProducerRecord<>(TOPICS.entities(), 0, new byte[] {1}, new byte[] {2}))
                    .get();
        }
        WholeTopic topic = new WholeTopic(kafka.consumer("test"), WholeTopic.partitions(TOPICS.entities(), 1));
        topic.readToEnd(record -> {}, () -> false);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(kafka.producer("test"))) {
            producer.send(new ProducerRecord<>(TOPICS.entities(), 0, new byte[] {1}, new byte[] {3}))
                    .get();
        }
        IllegalStateException bug = new IllegalStateException("a bug");
        AtomicReference<@Nullable Exception> reported = new AtomicReference<>();
        try (Tail tail = new Tail(topic)) {
            tail.follow(
                    record -> {
                        throw bug;
                    },
                    reported::set);
            await().untilAsserted(() -> assertThat(reported).hasValue(bug));
        }
    }

    @Test
    void shouldAnswerAfterAnAnswerThatFailed() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Resolved resolved = new Resolved(1L, 0, "", 0L, 0, List.of(), 1);
        AtomicBoolean finished = new AtomicBoolean();
        try (Answers answers = new Answers(kafka, TOPICS, new ResolverMetrics(meters))) {
            answers.start();
            answers.send(EdgeId.of("gone"), resolved, () -> {
                throw new IllegalStateException("a bug");
            });
            answers.send(EdgeId.of("gone"), resolved, () -> finished.set(true));
            await().untilTrue(finished);
        }
        assertThat(meters.get("hereabouts.resolver.dropped")
                        .tag("reason", "edge_gone")
                        .counter()
                        .count())
                .isEqualTo(2);
    }
}
