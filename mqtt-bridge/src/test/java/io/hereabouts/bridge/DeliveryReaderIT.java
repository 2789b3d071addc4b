package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.bridge.kafka.DeliveryReader;
import io.hereabouts.bridge.loop.Taken;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class DeliveryReaderIT {

    @Test
    void shouldGoOnAfterABatchThatFails() throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        try (EdgeStack stack = new EdgeStack();
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(stack.kafka.producer("test"));
                DeliveryReader reader = DeliveryReader.open(
                        stack.kafka,
                        "reader",
                        stack.topics.edges(),
                        DeliveryReader.Start.END,
                        "nobodys",
                        marks -> {},
                        batch -> {
                            batch.forEach(record -> {
                                String key = text(record.key());
                                if (key.equals("bad")) {
                                    throw new IllegalStateException("bad record");
                                }
                                received.add(key);
                            });
                            return new Taken(CompletableFuture.completedFuture(null), "");
                        },
                        gap -> {},
                        failures::incrementAndGet)) {
            reader.begin();
            send(producer, stack, "bad");
            await().until(() -> failures.get() == 1);

            send(producer, stack, "good");

            await().untilAsserted(() -> assertThat(received).containsExactly("good"));
            assertThat(failures).hasValue(1);
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, EdgeStack stack, String key) throws Exception {
        producer.send(new ProducerRecord<>(stack.topics.edges(), key.getBytes(StandardCharsets.UTF_8), new byte[] {1}))
                .get();
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
