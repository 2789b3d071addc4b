package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Unmodified clients, run as their users run them: mosquitto and MQTT.js do what the demo does, and the examples of
 * {@code docs/clients} do what they say.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealClientsIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final Path EXAMPLES = Path.of("../docs/clients");
    private static final int READINGS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();
    /** What {@code -F} makes mosquitto_sub print: topic, payload, user properties as {@code name:value}. */
    private static final Pattern PRINTED = Pattern.compile("got (\\S+) (\\S+) (.*)");

    private static final Pattern PROPERTY = Pattern.compile("(entity|neighborhood-id):(\\S+)");

    @TempDir
    Path folder;

    private EmbeddedStack stack;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        StackSettings settings = Settings.load(
                Optional.empty(), Map.of("data", data.toString(), "kafka.port", "0", "mqtt.port", "0"), Map.of());
        stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
    }

    @AfterAll
    void stop() {
        stack.close();
    }

    /** What a subscriber printed: whose message it is, and for which neighborhood it came. */
    private record Got(String client, String payload, String entity, String neighborhoodId) {}

    @Test
    void shouldServeTheDemoToMosquitto() throws Exception {
        Map<Subscribed, String> subscriptions = demo("mosquitto");
        List<Published> readings = readings("mosquitto");
        Map<String, Long> counts = counts(subscriptions, readings);
        Map<String, Process> subscribers = new LinkedHashMap<>();
        List<BufferedReader> outputs = new ArrayList<>();
        try {
            for (Map.Entry<Subscribed, String> s : subscriptions.entrySet()) {
                String client = s.getKey().client();
                Process subscriber = mosquittoSub(s.getKey(), s.getValue(), counts.getOrDefault(client, 0L));
                subscribers.put(client, subscriber);
                BufferedReader lines = lines(subscriber);
                outputs.add(lines);
                awaitLine(lines, "Subscribed");
            }
            for (Published reading : readings) {
                assertThat(mosquittoPub(reading).waitFor()).isZero();
            }
            List<Got> got = new ArrayList<>();
            int next = 0;
            for (Map.Entry<String, Process> subscriber : subscribers.entrySet()) {
                outputs.get(next++)
                        .lines()
                        .map(PRINTED::matcher)
                        .filter(Matcher::matches)
                        .forEach(line -> got.add(printed(subscriber.getKey(), line)));
                assertThat(subscriber.getValue().waitFor()).isZero();
            }
            assertThat(got).containsExactlyInAnyOrderElementsOf(expected(subscriptions, readings));
        } finally {
            subscribers.values().forEach(Process::destroyForcibly);
        }
    }

    @Test
    void shouldServeTheDemoToMqttJs() throws Exception {
        Map<Subscribed, String> subscriptions = demo("js");
        List<Published> readings = readings("js");
        List<Got> expected = expected(subscriptions, readings);
        List<Map<String, String>> asked = new ArrayList<>();
        subscriptions.forEach((s, descriptor) -> asked.add(
                s.descriptor() == null
                        ? Map.of("client", s.client(), "filter", s.topicFilter())
                        : Map.of(
                                "client", s.client(),
                                "filter", s.topicFilter(),
                                "descriptor", descriptor,
                                "id", s.neighborhoodId())));
        String work = JSON.writeValueAsString(Map.of(
                "subscriptions",
                asked,
                "publications",
                readings.stream()
                        .map(r -> Map.of("topic", r.topic(), "entity", String.valueOf(r.entity()), "payload", r.id()))
                        .toList(),
                "expected",
                expected.size()));
        Process client = start(
                Map.of(), "timeout", "60", "node", "target/clients/demo.js", String.valueOf(stack.mqttPort()), work);
        try (BufferedReader lines = lines(client)) {
            List<String> printed = lines.lines().toList();
            assertThat(client.waitFor()).as(String.join("\n", printed)).isZero();
            assertThat(printed.stream().map(RealClientsIT::parsed)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void shouldKeepWhatComesForAMosquittoThatSleeps() throws Exception {
        String inside = new Oracle(CITY.entities(), List.of())
                .resolve(parse(CITY.oneStageDescriptor()))
                .first();
        List<String> subscribe = List.of(
                "timeout",
                "60",
                "mosquitto_sub",
                "-V",
                "5",
                "-p",
                String.valueOf(stack.mqttPort()),
                "-i",
                "sleeper",
                "-c",
                "-x",
                "600",
                "-q",
                "2",
                "-t",
                "sleep/#",
                "-F",
                "got %t %p %P",
                "-D",
                "subscribe",
                "user-property",
                "neighborhood",
                DescriptorParser.onOneLine(CITY.oneStageDescriptor()),
                "-D",
                "subscribe",
                "user-property",
                "neighborhood-id",
                "near");
        assertThat(run(subscribe, "-E")).isEmpty();
        for (String payload : List.of("1", "2", "3")) {
            assertThat(run(
                            List.of("mosquitto_pub", "-V", "5", "-p", String.valueOf(stack.mqttPort())),
                            "-q",
                            "2",
                            "-t",
                            "sleep/x",
                            "-m",
                            payload,
                            "-D",
                            "publish",
                            "user-property",
                            "entity",
                            inside))
                    .isEmpty();
        }

        List<Got> got = run(subscribe, "-C", "3").stream()
                .map(PRINTED::matcher)
                .filter(Matcher::matches)
                .map(line -> printed("sleeper", line))
                .toList();

        assertThat(got)
                .containsExactly(
                        new Got("sleeper", "1", inside, "near"),
                        new Got("sleeper", "2", inside, "near"),
                        new Got("sleeper", "3", inside, "near"));
    }

    /** What the command printed; it must succeed. */
    private static List<String> run(List<String> command, String... more) throws Exception {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        Process process = start(Map.of(), all.toArray(String[]::new));
        try (BufferedReader lines = lines(process)) {
            List<String> printed = lines.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", printed)).isZero();
            return printed;
        }
    }

    static Stream<Arguments> examples() {
        String classPath = System.getProperty("java.class.path");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String python =
                Optional.ofNullable(System.getenv("HEREABOUTS_TEST_PYTHON")).orElse("python3");
        return Stream.of(
                Arguments.of("mosquitto.sh", List.of("sh")),
                Arguments.of("mqtt_js.js", List.of("node")),
                Arguments.of("paho_python.py", List.of(python)),
                Arguments.of("PahoJava.java", List.of(java, "-cp", classPath)),
                Arguments.of("HiveMqClient.java", List.of(java, "-cp", classPath)));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void shouldRunTheExamplesOfTheDocumentation(String file, List<String> run) throws Exception {
        Path descriptor = Files.writeString(folder.resolve("near.json"), CITY.twoStageDescriptor());
        String inside = new Oracle(CITY.entities(), List.of())
                .resolve(parse(CITY.twoStageDescriptor()))
                .first();
        List<String> command = new ArrayList<>(List.of("timeout", "60"));
        command.addAll(run);
        command.add(EXAMPLES.resolve(file).toString());
        command.addAll(List.of(String.valueOf(stack.mqttPort()), descriptor.toString(), inside));
        Process example = start(
                Map.of("NODE_PATH", new File("target/clients/node_modules").getAbsolutePath()),
                command.toArray(String[]::new));
        try (BufferedReader lines = lines(example)) {
            List<String> printed = lines.lines().toList();
            assertThat(example.waitFor()).as(String.join("\n", printed)).isZero();
            assertThat(printed.stream().filter(line -> line.startsWith("got traffic/now ")))
                    .singleElement()
                    .asString()
                    .contains("entity:" + inside, "neighborhood-id:near", "{\"speed\": 57}");
        }
    }

    /** The demo's subscriptions, on topics and with client ids of this test's own. */
    private static Map<Subscribed, String> demo(String prefix) throws InvalidDescriptorException {
        Map<String, String> descriptors = new LinkedHashMap<>();
        descriptors.put("one-stage", CITY.oneStageDescriptor());
        descriptors.put("two-stage", CITY.twoStageDescriptor());
        descriptors.put("boolean", CITY.booleanDescriptor());
        Map<Subscribed, String> subscriptions = new LinkedHashMap<>();
        for (Map.Entry<String, String> d : descriptors.entrySet()) {
            String name = d.getKey();
            subscriptions.put(
                    Subscribed.neighborhood(prefix + "-" + name, prefix + "/#", name, parse(d.getValue()), 1),
                    DescriptorParser.onOneLine(d.getValue()));
        }
        subscriptions.put(Subscribed.plain(prefix + "-plain", prefix + "/#", 1), "");
        return subscriptions;
    }

    private static List<Published> readings(String prefix) {
        List<String> detectors = CITY.entities().stream()
                .filter(e -> e.isA(Category.of("detector")))
                .map(e -> e.id().value())
                .toList();
        return IntStream.range(0, Math.min(READINGS, detectors.size()))
                .mapToObj(n -> new Published(
                        prefix + n,
                        "publisher",
                        prefix + "/readings",
                        detectors.get(n * detectors.size() / READINGS),
                        1))
                .toList();
    }

    private static List<Got> expected(Map<Subscribed, String> subscriptions, List<Published> readings) {
        Oracle oracle = new Oracle(CITY.entities(), subscriptions.keySet());
        List<Got> expected = new ArrayList<>();
        for (Published reading : readings) {
            for (Expected copy : oracle.expect(reading)) {
                expected.add(new Got(
                        copy.client(),
                        reading.id(),
                        String.valueOf(reading.entity()),
                        String.join(",", copy.neighborhoodIds())));
            }
        }
        subscriptions.keySet().forEach(s -> assertThat(expected)
                .anyMatch(got -> got.client().equals(s.client())));
        return expected;
    }

    private static Map<String, Long> counts(Map<Subscribed, String> subscriptions, List<Published> readings) {
        Map<String, Long> counts = new TreeMap<>();
        expected(subscriptions, readings).forEach(got -> counts.merge(got.client(), 1L, Long::sum));
        return counts;
    }

    private Process mosquittoSub(Subscribed s, String descriptor, long count) throws IOException {
        // stdbuf: into a pipe mosquitto_sub writes only when it ends
        List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", "mosquitto_sub", "-V", "5"));
        command.addAll(List.of("-p", String.valueOf(stack.mqttPort()), "-i", s.client(), "-q", "1"));
        command.addAll(List.of("-t", s.topicFilter(), "-C", String.valueOf(count), "-W", "60", "-d"));
        command.addAll(List.of("-F", "got %t %p %P"));
        if (s.descriptor() != null) {
            command.addAll(List.of("-D", "subscribe", "user-property", "neighborhood", descriptor));
            command.addAll(List.of("-D", "subscribe", "user-property", "neighborhood-id", s.neighborhoodId()));
        }
        return start(Map.of(), command.toArray(String[]::new));
    }

    private Process mosquittoPub(Published reading) throws IOException {
        List<String> command = new ArrayList<>(List.of("mosquitto_pub", "-V", "5"));
        command.addAll(List.of("-p", String.valueOf(stack.mqttPort()), "-q", "1", "-t", reading.topic()));
        command.addAll(List.of("-m", reading.id()));
        command.addAll(List.of("-D", "publish", "user-property", "entity", String.valueOf(reading.entity())));
        return start(Map.of(), command.toArray(String[]::new));
    }

    private static Got printed(String client, Matcher line) {
        Map<String, String> properties = new TreeMap<>();
        PROPERTY.matcher(line.group(3)).results().forEach(p -> properties.put(p.group(1), p.group(2)));
        return new Got(
                client,
                line.group(2),
                properties.getOrDefault("entity", ""),
                properties.getOrDefault("neighborhood-id", ""));
    }

    private static Got parsed(String line) {
        try {
            JsonNode got = JSON.readTree(line);
            JsonNode properties = got.path("userProperties");
            return new Got(
                    got.path("client").asText(),
                    got.path("payload").asText(),
                    properties.path("entity").asText(),
                    properties.path("neighborhood-id").asText());
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }

    private static NeighborhoodDescriptor parse(String descriptor) throws InvalidDescriptorException {
        return new DescriptorParser(DescriptorLimits.DEFAULT).parse(descriptor);
    }

    private static Process start(Map<String, String> environment, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static BufferedReader lines(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static void awaitLine(BufferedReader lines, String part) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains(part)) {
                return;
            }
            all.append(line).append('\n');
        }
        throw new AssertionError("the client ended without '" + part + "':\n" + all);
    }
}
