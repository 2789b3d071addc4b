package io.hereabouts.launcher.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {

    @TempDir
    Path folder;

    @Test
    void shouldKeepItsTopicsOverARestartAndRefuseATakenPort() throws Exception {
        TopicCatalogue topics = TopicCatalogue.withPartitions(2);
        int port;
        try (EmbeddedKafka kafka = EmbeddedKafka.launch(folder, 0);
                TopicAdmin admin = new TopicAdmin(KafkaConnection.to(kafka.bootstrapServers()), topics)) {
            port = kafka.port();
            admin.create(topics.fixed());
            assertThatThrownBy(() -> EmbeddedKafka.launch(folder.resolve("other"), port))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("port " + port + " for Kafka is taken");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.launch(folder, port);
                TopicAdmin admin = new TopicAdmin(KafkaConnection.to(kafka.bootstrapServers()), topics)) {
            assertThat(admin.check(topics.fixed())).isEmpty();
        }
    }
}
