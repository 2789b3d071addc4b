package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.PublicationSink;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayFailedException;
import io.hereabouts.replay.ReplayProgress;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.replay.mqtt.MqttPublicationSink;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.process.CutableProxy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A replay through an edge: what arrives at subscribers, what is refused, and what happens to a lost connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayMqttIT {

    private static final SeededCity CITY = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private static final int DETECTORS = 20;
    private static final String MAPPING =
            """
            {"entity": "{id}", "topic": "{topic}", "time": {"columns": ["at"], "format": "epoch-millis"},
             "payload": {"template": "{id} {at}"}}""";

    private Path folder = Path.of("");
    private EmbeddedStack stack;

    @BeforeAll
    void start(@TempDir Path temporary) throws Exception {
        folder = temporary;
        StackSettings settings = Settings.load(
                Optional.empty(),
                Map.of(
                        "data",
                        folder.resolve("data").toString(),
                        "kafka.port",
                        "0",
                        "mqtt.port",
                        "0",
                        "edge.strict-entities",
                        "true"),
                Map.of());
        stack = EmbeddedStack.launch(settings, new SimpleMeterRegistry(), CITY.entities());
    }

    @AfterAll
    void stop() {
        stack.close();
    }

    @Test
    void shouldBringEachRowToItsSubscribersInOrderAndCountWhatTheEdgeRefuses() throws Exception {
        Received plain = new Received();
        Received near = new Received();
        StringBuilder csv = rows("order", 3_000);
        for (int i = 0; i < 30; i++) {
            csv.append("detector/nowhere,order,").append(i).append('\n');
        }
        try (TestClient plainClient = TestClient.connect(stack.mqttPort(), "plain", plain::add);
                TestClient nearClient = TestClient.connect(stack.mqttPort(), "near", near::add)) {
            assertThat(plainClient.subscribe("order", 1, null, null).join().refused())
                    .isFalse();
            assertThat(nearClient
                            .subscribe("order", 1, CITY.twoStageDescriptor(), "near")
                            .join()
                            .refused())
                    .isFalse();

            ReplayReport report;
            try (PublicationSink sink = MqttPublicationSink.open(edge(stack.mqttPort()), 50, Duration.ofSeconds(30))) {
                report = replay(csv, sink);
            }

            assertThat(report.sent()).isEqualTo(3_030);
            assertThat(report.acknowledged()).isEqualTo(3_000);
            assertThat(report.refused()).isEqualTo(Map.of("0x83 IMPLEMENTATION_SPECIFIC_ERROR", 30L));
            await().atMost(Duration.ofMinutes(1)).until(() -> plain.payloads.size() >= 3_000);
            assertThat(plain.byEntity()).isEqualTo(expected(3_000));
            assertThat(near.byEntity().keySet()).isSubsetOf(plain.byEntity().keySet());
            assertThat(plain.payloads).allMatch(payload -> !payload.contains("nowhere"));
        }
    }

    @Test
    void shouldSendAgainInOrderWhatALostConnectionLeftUnacknowledged() throws Exception {
        Received received = new Received();
        try (TestClient subscriber = TestClient.connect(stack.mqttPort(), "subscriber", received::add);
                CutableProxy proxy = CutableProxy.to("127.0.0.1", stack.mqttPort());
                MqttPublicationSink sink = MqttPublicationSink.open(edge(proxy.port()), 200, Duration.ofSeconds(60))) {
            assertThat(subscriber.subscribe("cut", 1, null, null).join().refused())
                    .isFalse();
            ReplayReport report = replay(rows("cut", 6_000), new Cutting(sink, proxy, 2_000, true));

            assertThat(report.sent()).isEqualTo(6_000);
            assertThat(report.acknowledged()).isEqualTo(6_000);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(received.byEntity()).isEqualTo(expected(6_000)));
        }
    }

    @Test
    void shouldFailWithCountsWhenTheEdgeStaysAway() throws Exception {
        try (CutableProxy proxy = CutableProxy.to("127.0.0.1", stack.mqttPort());
                MqttPublicationSink sink = MqttPublicationSink.open(edge(proxy.port()), 10, Duration.ofSeconds(2))) {
            ReplayFailedException e = catchThrowableOfType(
                    ReplayFailedException.class,
                    () -> replay(rows("away", 3_000), new Cutting(sink, proxy, 500, false)));
            assertThat(e).hasMessageContaining("127.0.0.1:" + proxy.port() + " has not acknowledged anything for 2 s");
            assertThat(e.report().acknowledged()).isBetween(1L, 500L);
            assertThat(e.report().sent())
                    .isBetween(e.report().acknowledged(), e.report().acknowledged() + 10);
        }
        assertThatThrownBy(() -> MqttPublicationSink.open(edge(1)))
                .isInstanceOf(SinkFailedException.class)
                .hasMessageContaining("cannot connect to 127.0.0.1:1");
    }

    @Test
    void shouldFailAtOnceWhenTheEdgeDisconnectsForWhatWouldComeAgain() throws Exception {
        Mapping mapping = Mapping.parse(MAPPING.replace("{id} {at}", "{at}" + "y".repeat(1_100_000)));
        Path file = Files.writeString(folder.resolve("large.csv"), "id,topic,at\ndetector/1,large,1\n");
        try (MqttPublicationSink sink = MqttPublicationSink.open(edge(stack.mqttPort()))) {
            ReplayFailedException e = catchThrowableOfType(
                    ReplayFailedException.class,
                    () -> Replay.run(
                            ReplayConfig.of(List.of(file), mapping),
                            sink,
                            PaceClock.SYSTEM,
                            ReplayProgress.SILENT,
                            new SimpleMeterRegistry()));
            assertThat(e).hasMessageContaining("has disconnected: 0x95 PACKET_TOO_LARGE: payload has 1100001 bytes");
        }
    }

    private ReplayReport replay(StringBuilder csv, PublicationSink sink) throws Exception {
        Path file = Files.writeString(folder.resolve("rows.csv"), "id,topic,at\n" + csv);
        return Replay.run(
                ReplayConfig.of(List.of(file), Mapping.parse(MAPPING)),
                sink,
                PaceClock.SYSTEM,
                ReplayProgress.SILENT,
                new SimpleMeterRegistry());
    }

    private static MqttAddress edge(int port) {
        return MqttAddress.parse("127.0.0.1:" + port);
    }

    /** Row i is about detector 1 + i modulo their number, at time i; the last comes first. */
    private static StringBuilder rows(String topic, int count) {
        StringBuilder csv = new StringBuilder();
        for (int i = count - 1; i >= 0; i--) {
            csv.append("detector/")
                    .append(i % DETECTORS + 1)
                    .append(',')
                    .append(topic)
                    .append(',');
            csv.append(i).append('\n');
        }
        return csv;
    }

    private static Map<String, List<String>> expected(int count) {
        Map<String, List<String>> expected = new LinkedHashMap<>();
        IntStream.range(0, count)
                .forEach(i -> expected.computeIfAbsent("detector/" + (i % DETECTORS + 1), e -> new ArrayList<>())
                        .add("detector/" + (i % DETECTORS + 1) + " " + i));
        return expected;
    }

    /** Cuts the connection before a certain publication is sent. */
    private static final class Cutting implements PublicationSink {
        private final PublicationSink sink;
        private final CutableProxy proxy;
        private final int before;
        private final boolean mends;
        private int sent;

        Cutting(PublicationSink sink, CutableProxy proxy, int before, boolean mends) {
            this.sink = sink;
            this.proxy = proxy;
            this.before = before;
            this.mends = mends;
        }

        @Override
        public void send(EntityId entity, Publication publication) throws SinkFailedException, InterruptedException {
            if (++sent == before) {
                proxy.cut();
                if (mends) {
                    proxy.mend();
                }
            }
            sink.send(entity, publication);
        }

        @Override
        public void flush() throws SinkFailedException, InterruptedException {
            sink.flush();
        }

        @Override
        public long acknowledged() {
            return sink.acknowledged();
        }

        @Override
        public void close() {}
    }

    /** What a subscriber got, repeats left out: QoS 1 allows them. */
    private static final class Received {
        private final List<String> payloads = new CopyOnWriteArrayList<>();

        void add(Mqtt5Publish publish) {
            payloads.add(new String(publish.getPayloadAsBytes(), StandardCharsets.UTF_8));
        }

        Map<String, List<String>> byEntity() {
            Map<String, Set<String>> byEntity = new LinkedHashMap<>();
            for (String payload : payloads) {
                byEntity.computeIfAbsent(payload.substring(0, payload.indexOf(' ')), e -> new LinkedHashSet<>())
                        .add(payload);
            }
            Map<String, List<String>> lists = new LinkedHashMap<>();
            byEntity.forEach((entity, set) -> lists.put(entity, List.copyOf(set)));
            return lists;
        }
    }
}
