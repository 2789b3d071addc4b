package io.hereabouts.launcher;

import io.hereabouts.launcher.kafka.KafkaPublications;
import java.util.concurrent.CompletableFuture;

/** Somebody who publishes about entities at QoS 1. Thread-safe. */
interface Publisher extends AutoCloseable {

    /** Completes with true when he was told that it was taken, with false when he cannot know. */
    CompletableFuture<Boolean> publish(String topic, String payload, String entity);

    @Override
    void close();

    /** An MQTT client that comes back after a DISCONNECT. */
    static Publisher mqtt(int port, String name) {
        TestClient client = TestClient.reconnecting(port, name);
        return new Publisher() {
            @Override
            public CompletableFuture<Boolean> publish(String topic, String payload, String entity) {
                return client.publish(topic, 1, payload, entity).thenApply(answer -> answer.code() == 0);
            }

            @Override
            public void close() {
                client.close();
            }
        };
    }

    /** One of several who share a way straight to Kafka; any of them closes it for all. */
    static Publisher straight(KafkaPublications kafka, String name) {
        return new Publisher() {
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
