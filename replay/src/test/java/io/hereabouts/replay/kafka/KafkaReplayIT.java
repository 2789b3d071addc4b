package io.hereabouts.replay.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayFailedException;
import io.hereabouts.replay.ReplayProgress;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaReplayIT {

    private static final int PARTITIONS = 6;
    private static final String BERLIN = "sensors/berlin-verkehrsdetektion/mq_hr_2024_03.csv.gz";

    private final TopicCatalogue topics = TopicCatalogue.withPartitions(PARTITIONS);

    @TempDir
    private Path folder;

    @Test
    void shouldWriteEachRowOnceInItsPartitionAndInTimeOrderForEachEntity() throws Exception {
        StringBuilder csv = new StringBuilder("id,at,v\n");
        for (int i = 0; i < 5_000; i++) {
            csv.append("ü/")
                    .append(i % 97)
                    .append(',')
                    .append((i * 7919L) % 5_000)
                    .append(',')
                    .append(i)
                    .append('\n');
        }
        Path file = Files.writeString(folder.resolve("made.csv"), csv);
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{id}", "topic": "s/{id}", "time": {"columns": ["at"], "format": "epoch-millis"},
                 "payload": {"template": "{v}"}}""");
        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, ReplayConfig.of(file, mapping), 50);
            assertThat(report.acknowledged()).isEqualTo(5_000);

            List<ConsumerRecord<byte[], byte[]>> records = read(kafka);
            assertThat(records).hasSize(5_000);
            Set<String> payloads = new HashSet<>();
            Map<String, Long> last = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                String entity = new String(record.key(), StandardCharsets.UTF_8);
                Publication publication = Framing.decode(record.value(), Publication.class);
                assertThat(record.partition()).isEqualTo(Partitions.partitionOf(EntityId.of(entity), PARTITIONS));
                assertThat(publication.getTopic()).isEqualTo("s/" + entity);
                assertThat(publication.getEventTime()).isGreaterThanOrEqualTo(last.getOrDefault(entity, -1L));
                last.put(entity, publication.getEventTime());
                payloads.add(
                        StandardCharsets.UTF_8.decode(publication.getPayload()).toString());
            }
            assertThat(payloads).hasSize(5_000);
            assertThat(last).hasSize(97);
        }
    }

    @Test
    void shouldRefuseAKafkaWithoutOurTopicAndOneThatIsNotThere() throws Exception {
        try (TestKafka kafka = TestKafka.start()) {
            assertThatThrownBy(() -> KafkaPublicationSink.open(
                            KafkaConnection.to(kafka.bootstrapServers()), topics, 10, Duration.ofSeconds(5)))
                    .isInstanceOf(SinkFailedException.class)
                    .hasMessage(
                            "Kafka topic hereabouts.publications is missing; create it with 'hereabouts topics init'");
        }
        KafkaConnection nowhere = new KafkaConnection(
                "localhost:1", Map.of("default.api.timeout.ms", "1500", "request.timeout.ms", "1000"));
        assertThatThrownBy(() -> KafkaPublicationSink.open(nowhere, topics, 10, Duration.ofSeconds(5)))
                .isInstanceOf(SinkFailedException.class)
                .hasMessageContaining("localhost:1 does not answer");
    }

    @Test
    void shouldFailWithCountsWhenKafkaDoesNotTakeAPublication() throws Exception {
        Path file = Files.writeString(
                folder.resolve("big.csv"), "id,at,v\na,1,x\na,2," + "y".repeat(1_000_000) + "\na,3,x\n");
        String triple = "{v}{v}{v}";
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{id}", "topic": "s/{id}", "time": {"columns": ["at"], "format": "epoch-millis"},
                 "payload": {"template": "%s"}}"""
                        .formatted(triple));
        try (TestKafka kafka = TestKafka.start()) {
            ReplayFailedException e = catchThrowableOfType(
                    ReplayFailedException.class, () -> replay(kafka, ReplayConfig.of(file, mapping), 1));
            assertThat(e)
                    .hasMessageContaining("Kafka did not take a publication")
                    .hasMessageContaining("RecordTooLarge");
            assertThat(e.report().acknowledged()).isEqualTo(1);
            assertThat(e.report().sent()).isEqualTo(2);
        }
    }

    @Test
    void shouldReplayAMonthOfBerlinsDetectors() throws Exception {
        Path data = Path.of(System.getProperty("hereabouts.data", "")).resolve(BERLIN);
        if (!Files.isReadable(data)) {
            System.out.println("NOT RUN: real city: no " + data + "; set -Dhereabouts.data");
        }
        assumeThat(data).isReadable();
        Map<String, Integer> expected = new TreeMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(data)), StandardCharsets.UTF_8))) {
            lines.lines()
                    .skip(1)
                    .forEach(line -> expected.merge(line.substring(0, line.indexOf(';')), 1, Integer::sum));
        }
        int rows = expected.values().stream().mapToInt(Integer::intValue).sum();
        Mapping mapping = Mapping.load(Path.of("..", "docs", "examples", "berlin-verkehrsdetektion.json"));

        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, ReplayConfig.of(data, mapping), 10_000);
            System.out.println("Berlin, March 2024: " + report);
            assertThat(report.bad()).isZero();
            assertThat(report.timesShifted()).isEqualTo(146);
            assertThat(report.acknowledged()).isEqualTo(rows).isGreaterThan(100_000);

            Map<String, Integer> found = new TreeMap<>();
            Map<String, Long> last = new HashMap<>();
            for (ConsumerRecord<byte[], byte[]> record : read(kafka)) {
                String entity = new String(record.key(), StandardCharsets.UTF_8);
                Publication publication = Framing.decode(record.value(), Publication.class);
                found.merge(entity, 1, Integer::sum);
                assertThat(publication.getEventTime()).isGreaterThan(last.getOrDefault(entity, Long.MIN_VALUE));
                last.put(entity, publication.getEventTime());
            }
            assertThat(found).isEqualTo(expected);
        }
    }

    private ReplayReport replay(TestKafka kafka, ReplayConfig config, int inFlight) throws Exception {
        KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
        try (TopicAdmin admin = new TopicAdmin(connection, topics)) {
            admin.create(topics.fixed());
        }
        try (KafkaPublicationSink sink =
                KafkaPublicationSink.open(connection, topics, inFlight, Duration.ofSeconds(30))) {
            return Replay.run(config, sink, PaceClock.SYSTEM, ReplayProgress.SILENT, new SimpleMeterRegistry());
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> read(TestKafka kafka) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(p -> new TopicPartition(topics.publications(), p))
                .toList();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(KafkaConnection.to(kafka.bootstrapServers()).consumer("test"))) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    if (!Keys.isProbe(record.key())) {
                        all.add(record);
                    }
                }
            }
        }
        return all;
    }
}
