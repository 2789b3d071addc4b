package io.hereabouts.schemas.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Asks whether Kafka answers. Thread-safe. */
public final class KafkaPing implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 2_000;

    private final String servers;
    private final Admin admin;

    public KafkaPing(KafkaConnection kafka, String clientId) {
        this.servers = kafka.bootstrapServers();
        this.admin = Admin.create(impatient(kafka, clientId));
    }

    /** Settings of an admin client that gives Kafka two seconds for an answer. */
    public static Map<String, Object> impatient(KafkaConnection kafka, String clientId) {
        Map<String, Object> settings = kafka.base(clientId);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        return settings;
    }

    /** A line that says so if Kafka does not answer within two seconds; empty if it does. */
    public List<String> problems() {
        try {
            admin.describeCluster().nodes().get();
            return List.of();
        } catch (ExecutionException e) {
            return List.of("Kafka at " + servers + " does not answer: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of("interrupted while asking Kafka at " + servers);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
