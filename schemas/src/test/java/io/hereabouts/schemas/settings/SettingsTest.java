package io.hereabouts.schemas.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.kafka.KafkaConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

    @TempDir
    Path folder;

    @Test
    void shouldHaveDefaults() throws Exception {
        StackSettings settings = Settings.load(Optional.empty(), Map.of(), Map.of("HEREABOUTS_TEST_POSTGIS_URL", "x"));

        assertThat(settings.mqtt().host()).isEqualTo("127.0.0.1");
        assertThat(settings.mqtt().port()).isEqualTo(1883);
        assertThat(settings.topics().partitions()).isEqualTo(12);
        assertThat(settings.edge().publishTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.kafka().bootstrapServers()).isEmpty();
        assertThat(settings.world().kind()).isEqualTo(StackSettings.Kind.MEMORY);
    }

    @Test
    void shouldPreferCommandLineToEnvironmentToFile() throws Exception {
        Path file = Files.writeString(
                folder.resolve("hereabouts.properties"),
                """
                hereabouts.mqtt.port=1
                hereabouts.topics.partitions=2
                hereabouts.topics.retention=7d
                hereabouts.kafka.settings.security.protocol=SSL
                """);
        StackSettings settings = Settings.load(
                Optional.of(file),
                Map.of("mqtt.port", "3"),
                Map.of(
                        "HEREABOUTS_MQTT_PORT", "4",
                        "HEREABOUTS_TOPICS_PARTITIONS", "5",
                        "HEREABOUTS_EDGE_STRICT_ENTITIES", "true"));

        assertThat(settings.mqtt().port()).isEqualTo(3);
        assertThat(settings.topics().partitions()).isEqualTo(5);
        assertThat(settings.topics().retention()).isEqualTo(Duration.ofDays(7));
        assertThat(settings.edge().strictEntities()).isTrue();
        assertThat(settings.kafka().settings()).containsEntry("security.protocol", "SSL");
    }

    @Test
    void shouldReportAllThatIsWrongTogether() {
        assertThatThrownBy(() -> Settings.load(
                        Optional.empty(),
                        Map.of("mqtt.port", "many", "mqtt.prot", "1883", "edge.publish-timeout", "ten"),
                        Map.of()))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("mqtt.port is 'many': ")
                .hasMessageContaining("mqtt.prot is no setting")
                .hasMessageContaining("edge.publish-timeout is 'ten': 'ten' is not a duration");
    }

    @Test
    void shouldNameAFileThatCannotBeRead() {
        assertThatThrownBy(() -> Settings.load(Optional.of(folder.resolve("none")), Map.of(), Map.of()))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("none: cannot be read");
    }

    @Test
    void shouldReadSecretsFromFiles() throws Exception {
        Path kafka = Files.writeString(
                folder.resolve("kafka.properties"),
                "sasl.jaas.config=org.example.Login required password\\=\"${a:b}$1\";\nsecurity.protocol=SASL_SSL\n");
        Path postgis = Files.writeString(folder.resolve("postgis"), "p${x}\n");
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "kafka.settings-file", kafka.toString(),
                        "kafka.settings.client.rack", "r1",
                        "world.postgis.password-file", postgis.toString()),
                Map.of());

        KafkaConnection connection = Settings.kafka(settings);
        assertThat(connection.settings())
                .isEqualTo(Map.of(
                        "sasl.jaas.config", "org.example.Login required password=\"${a:b}$1\";",
                        "security.protocol", "SASL_SSL",
                        "client.rack", "r1"));
        assertThat(connection.toString()).doesNotContain("Login");
        assertThat(Settings.password(settings.world().postgis())).isEqualTo("p${x}");
    }

    @Test
    void shouldTakeASecretFromOnePlaceOnly() throws Exception {
        Path kafka = Files.writeString(folder.resolve("kafka.properties"), "client.rack=r2\n");
        StackSettings twice = Settings.load(
                Optional.empty(),
                Map.of(
                        "kafka.settings-file",
                        kafka.toString(),
                        "kafka.settings.client.rack",
                        "r1",
                        "world.postgis.password",
                        "hidden",
                        "world.postgis.password-file",
                        kafka.toString()),
                Map.of());
        assertThatThrownBy(() -> Settings.kafka(twice))
                .hasMessageContaining("client.rack")
                .hasMessageNotContaining("r1");
        assertThatThrownBy(() -> Settings.password(twice.world().postgis()))
                .hasMessageContaining("world.postgis.password-file")
                .hasMessageNotContaining("hidden");
        StackSettings missing = Settings.load(
                Optional.empty(),
                Map.of("kafka.settings-file", "/nowhere/k", "world.postgis.password-file", "/nowhere/p"),
                Map.of());
        assertThatThrownBy(() -> Settings.kafka(missing)).hasMessageContaining("/nowhere/k");
        assertThatThrownBy(() -> Settings.password(missing.world().postgis())).hasMessageContaining("/nowhere/p");
    }

    @Test
    void shouldPassSettingsThroughToOneKindOfClient() {
        KafkaConnection connection = new KafkaConnection(
                "localhost:9092",
                Map.of(
                        "security.protocol", "SSL",
                        "producer.linger.ms", "7",
                        "producer.acks", "0",
                        "consumer.max.poll.records", "9",
                        "consumer.enable.auto.commit", "true"));
        assertThat(connection.producer("p"))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("linger.ms", "7")
                .containsEntry("acks", "all");
        assertThat(connection.consumer("c"))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("max.poll.records", "9")
                .containsEntry("enable.auto.commit", false);
    }
}
