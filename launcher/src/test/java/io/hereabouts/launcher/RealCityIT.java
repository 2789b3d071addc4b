package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayProgress;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.replay.kafka.KafkaPublicationSink;
import io.hereabouts.resolver.importing.Feature;
import io.hereabouts.resolver.importing.FeatureReader;
import io.hereabouts.resolver.importing.WorldFile;
import io.hereabouts.resolver.importing.manifest.WorldManifest;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.hereabouts.testkit.city.RealCity;
import io.hereabouts.testkit.oracle.Oracle;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A month of Berlin's traffic detectors, replayed through the whole stack to two neighborhoods of the real city. */
class RealCityIT {

    private static final String FILTER = "sensors/+/traffic";
    private static final Path MAPPING = Path.of("../docs/examples/berlin-verkehrsdetektion.json");

    @TempDir
    Path folder;

    @Test
    void shouldDeliverEachRowOfANeighborhoodsDetectorsOnce() throws Exception {
        Optional<Path> data = RealCity.data();
        Assumptions.assumeTrue(data.isPresent());
        List<PhysicalEntity> world = world(data.get());
        Path readings = data.get().resolve(RealCity.READINGS);
        Map<String, Long> rows = rowsByDetector(readings);
        DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);
        Oracle oracle = new Oracle(world, List.of());
        Set<String> x = oracle.resolve(parser.parse(RealCity.DETECTORS_AT_MAIN_ROADS));
        Set<String> y = oracle.resolve(parser.parse(RealCity.DETECTORS_AROUND_NEUKOELLN));
        assertThat(x).hasSize(20);
        assertThat(y).hasSizeGreaterThan(80);

        StackSettings settings = Settings.load(
                Optional.empty(), Map.of("data", folder.toString(), "kafka.port", "0", "mqtt.port", "0"), Map.of());
        MeterRegistry metrics = new SimpleMeterRegistry();
        try (EmbeddedStack stack = EmbeddedStack.launch(settings, metrics, world)) {
            Received atX = new Received();
            Received atY = new Received();
            try (TestClient subscriberX = TestClient.connect(stack.mqttPort(), "x", atX::add);
                    TestClient subscriberY = TestClient.connect(stack.mqttPort(), "y", atY::add);
                    TestClient publisher = TestClient.connect(stack.mqttPort(), "p", p -> {})) {
                assertThat(subscriberX
                                .subscribe(FILTER, 1, RealCity.DETECTORS_AT_MAIN_ROADS, "X")
                                .join()
                                .code())
                        .isEqualTo(1);
                assertThat(subscriberY
                                .subscribe(FILTER, 1, RealCity.DETECTORS_AROUND_NEUKOELLN, "Y")
                                .join()
                                .code())
                        .isEqualTo(1);

                ReplayReport report = replay(readings, stack, metrics);
                System.out.println("real city: " + report);
                assertThat(report.acknowledged())
                        .isEqualTo(rows.values().stream()
                                .mapToLong(Long::longValue)
                                .sum());

                Map<String, Long> expectedX = only(rows, x);
                Map<String, Long> expectedY = only(rows, y);
                awaitAll(atX, expectedX);
                awaitAll(atY, expectedY);
                // whatever comes in excess has come before an answer to one more publication about each detector
                x.forEach(entity -> expectedX.merge(entity, 1L, Long::sum));
                y.forEach(entity -> expectedY.merge(entity, 1L, Long::sum));
                publishAll(publisher, union(x, y));
                awaitAll(atX, expectedX);
                awaitAll(atY, expectedY);
                System.out.println("real city: X got " + atX.total.get() + ", Y got " + atY.total.get());
                assertThat(atX.outOfOrder).isEmpty();
                assertThat(atY.outOfOrder).isEmpty();
                assertThat(atY.total.get()).isGreaterThan(30_000);
            }
        }
    }

    private static ReplayReport replay(Path readings, EmbeddedStack stack, MeterRegistry metrics) throws Exception {
        try (KafkaPublicationSink sink =
                KafkaPublicationSink.open(stack.wiring().kafka(), stack.wiring().topics())) {
            return Replay.run(
                    ReplayConfig.of(List.of(readings), Mapping.load(MAPPING)),
                    sink,
                    PaceClock.SYSTEM,
                    ReplayProgress.SILENT,
                    metrics);
        }
    }

    private static void awaitAll(Received received, Map<String, Long> expected) {
        long total = expected.values().stream().mapToLong(Long::longValue).sum();
        await().atMost(Duration.ofMinutes(4)).until(() -> received.total.get() >= total);
        assertThat(received.counts()).isEqualTo(expected);
    }

    private static void publishAll(TestClient publisher, Set<String> entities) {
        for (String entity : entities) {
            assertThat(publisher
                            .publish("sensors/" + entity + "/traffic", 1, "{\"time\":\"9999\"}", entity)
                            .join()
                            .code())
                    .isZero();
        }
    }

    private static Set<String> union(Set<String> x, Set<String> y) {
        Set<String> union = new TreeSet<>(x);
        union.addAll(y);
        return union;
    }

    private static Map<String, Long> only(Map<String, Long> rows, Set<String> entities) {
        Map<String, Long> only = new TreeMap<>(rows);
        only.keySet().retainAll(entities);
        return only;
    }

    /** Counted without the product: the first column of each line but the header. */
    private static Map<String, Long> rowsByDetector(Path file) throws IOException {
        Map<String, Long> rows = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                rows.merge(line.substring(0, line.indexOf(';')), 1L, Long::sum);
            }
        }
        return rows;
    }

    private static List<PhysicalEntity> world(Path data) throws IOException {
        List<PhysicalEntity> entities = new ArrayList<>();
        for (WorldFile file : WorldManifest.parse(RealCity.manifest(), data)) {
            try (FeatureReader reader = file.open()) {
                for (Optional<Feature> next = reader.next(); next.isPresent(); next = reader.next()) {
                    if (next.get() instanceof Feature.Entity read) {
                        entities.add(read.entity());
                    }
                }
            }
        }
        return entities;
    }

    /** What a subscriber got. */
    private static final class Received {
        private static final ObjectMapper JSON = new ObjectMapper();

        private final Map<String, Long> byEntity = new TreeMap<>();
        private final Map<String, String> lastTime = new HashMap<>();
        private final List<String> outOfOrder = new ArrayList<>();
        private final AtomicLong total = new AtomicLong();

        synchronized void add(Mqtt5Publish publish) {
            String entity = String.valueOf(TestClient.userProperty(publish, "entity"));
            String time;
            try {
                time = JSON.readTree(publish.getPayloadAsBytes()).path("time").asText();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            String before = lastTime.put(entity, time);
            if (before != null && before.compareTo(time) >= 0) {
                outOfOrder.add(entity + ": " + time + " after " + before);
            }
            byEntity.merge(entity, 1L, Long::sum);
            total.incrementAndGet();
        }

        synchronized Map<String, Long> counts() {
            return new TreeMap<>(byEntity);
        }
    }
}
