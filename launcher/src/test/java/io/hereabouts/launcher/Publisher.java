package io.hereabouts.launcher;

import io.hereabouts.launcher.kafka.KafkaPublications;
import java.util.concurrent.CompletableFuture;

/** Somebody who publishes about entities, always at the same QoS. Thread-safe. */
interface Publisher extends AutoCloseable {

    int qos();

    /** Completes with true when he was told that it was taken, with false when he cannot know. */
    CompletableFuture<Boolean> publish(String topic, String payload, String entity);

    @Override
    void close();

    /** An MQTT client that comes back after a DISCONNECT. */
    static Publisher mqtt(int port, String name, int qos) {
        TestClient client = TestClient.reconnecting(port, name);
        return new Publisher() {
            @Override
            public int qos() {
                return qos;
            }

            @Override
            public CompletableFuture<Boolean> publish(String topic, String payload, String entity) {
                return client.publish(topic, qos, payload, entity).thenApply(answer -> answer.code() == 0);
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    /** One of several who share a way straight to Kafka, at QoS 1; any of them closes it for all. */
    static Publisher straight(KafkaPublications kafka, String name) {
        return new Publisher() {
            @Override
            public int qos() {
                return 1;
            }

            @Override
            public CompletableFuture<Boolean> publish(String topic, String payload, String entity) {
                return kafka.publish(name, topic, payload, entity);
            }

            @Override
            public void close() {
                kafka.close();
            }
        };
    }
}
