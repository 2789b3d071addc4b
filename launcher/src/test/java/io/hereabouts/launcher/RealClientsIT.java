package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Oracle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Clients that know nothing of Hereabouts: mosquitto_sub, mosquitto_pub and MQTT.js. They must be installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealClientsIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final String DESCRIPTOR = DescriptorParser.onOneLine(CITY.oneStageDescriptor());

    private EmbeddedStack stack;
    private String inside = "";

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(), Map.of("data", folder.toString(), "kafka.port", "0", "mqtt.port", "0"), Map.of());
        stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
        inside = new Oracle(CITY.entities(), List.of())
                .resolve(new DescriptorParser(DescriptorLimits.DEFAULT).parse(DESCRIPTOR))
                .first();
    }

    @AfterAll
    void stop() {
        stack.close();
    }

    @Test
    void shouldServeMosquitto() throws Exception {
        String port = String.valueOf(stack.mqttPort());
        // stdbuf: into a pipe mosquitto_sub writes only when it ends
        Process subscriber = start(
                "stdbuf",
                "-oL",
                "mosquitto_sub",
                "-V",
                "5",
                "-p",
                port,
                "-q",
                "1",
                "-t",
                "m/#",
                "-C",
                "1",
                "-W",
                "60",
                "-d",
                "-F",
                "GOT %t %p %P",
                "-D",
                "subscribe",
                "user-property",
                "neighborhood",
                DESCRIPTOR,
                "-D",
                "subscribe",
                "user-property",
                "neighborhood-id",
                "central");
        try (BufferedReader lines = lines(subscriber)) {
            awaitLine(lines, "Subscribed");
            Process outside = publish(port, "m/out", "zone/1");
            assertThat(outside.waitFor()).isZero();
            Process publisher = publish(port, "m/in", inside);
            assertThat(publisher.waitFor()).isZero();
            String got = awaitLine(lines, "GOT");
            assertThat(got).contains("m/in hello").contains("entity:" + inside).contains("neighborhood-id:central");
        } finally {
            subscriber.destroyForcibly();
        }
    }

    @Test
    void shouldServeMqttJs() throws Exception {
        Process client = start(
                "node",
                "target/clients/client.js",
                String.valueOf(stack.mqttPort()),
                "js/#",
                DESCRIPTOR,
                "central",
                "js/in",
                inside,
                "hello");
        try (BufferedReader lines = lines(client)) {
            JsonNode got = new ObjectMapper().readTree(awaitLine(lines, "{"));
            assertThat(got.path("topic").asText()).isEqualTo("js/in");
            assertThat(got.path("payload").asText()).isEqualTo("hello");
            assertThat(got.path("userProperties").path("entity").asText()).isEqualTo(inside);
            assertThat(got.path("userProperties").path("neighborhood-id").asText())
                    .isEqualTo("central");
            assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(client.exitValue()).isZero();
        } finally {
            client.destroyForcibly();
        }
    }

    private static Process publish(String port, String topic, String entity) throws IOException {
        return start(
                "mosquitto_pub",
                "-V",
                "5",
                "-p",
                port,
                "-q",
                "1",
                "-t",
                topic,
                "-m",
                "hello",
                "-D",
                "publish",
                "user-property",
                "entity",
                entity);
    }

    private static Process start(String... command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String awaitLine(BufferedReader lines, String part) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(part)) {
                return line;
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("the client ended without '" + part + "':\n" + all);
    }
}
