package io.hereabouts.replay.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.replay.EventWindow;
import io.hereabouts.replay.Mapping;
import io.hereabouts.replay.Pace;
import io.hereabouts.replay.PaceClock;
import io.hereabouts.replay.PublicationSink.SinkFailedException;
import io.hereabouts.replay.Replay;
import io.hereabouts.replay.ReplayConfig;
import io.hereabouts.replay.ReplayFailedException;
import io.hereabouts.replay.ReplayProgress;
import io.hereabouts.replay.ReplayReport;
import io.hereabouts.replay.Speed;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.Generations;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.testkit.city.RealCity;
import io.hereabouts.testkit.kafka.TestKafka;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaReplayIT {

    private static final int PARTITIONS = 6;
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");

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
            ReplayReport report = replay(kafka, ReplayConfig.of(List.of(file), mapping), 50);
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
    void shouldGoToTheNextGenerationBehindAllThatItSent() throws Exception {
        try (TestKafka kafka = TestKafka.start()) {
            KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
            Generations preparing = Generations.only(topics.generation()).preparing(9);
            TopicCatalogue next = topics.at(preparing.next().orElseThrow());
            try (TopicAdmin admin = new TopicAdmin(connection, topics)) {
                admin.create(topics.fixed());
                admin.create(next.ofGeneration());
            }
            GenerationsTopic.write(connection, topics, preparing);
            int sent = 0;
            try (KafkaPublicationSink sink =
                    KafkaPublicationSink.open(connection, topics, 10, Duration.ofSeconds(30))) {
                for (; sent < 500; sent++) {
                    sink.send(EntityId.of("e" + sent % 7), publication(sent));
                }
                GenerationsTopic.write(connection, topics, preparing.switched());
                for (long end = System.nanoTime() + 60_000_000_000L;
                        read(kafka, next).isEmpty() && System.nanoTime() < end;
                        sent++) {
                    sink.send(EntityId.of("e" + sent % 7), publication(sent));
                    sink.flush();
                }
            }
            List<Integer> before = numbers(read(kafka, topics));
            List<Integer> after = numbers(read(kafka, next));
            assertThat(before).contains(499);
            assertThat(after).isNotEmpty();
            assertThat(before.size() + after.size()).isEqualTo(sent);
            assertThat(before).allMatch(n -> n < after.get(0));
            assertThat(read(kafka, next)).allSatisfy(r -> assertThat(r.partition())
                    .isEqualTo(Partitions.partitionOf(EntityId.of(new String(r.key(), StandardCharsets.UTF_8)), 9)));
        }
    }

    private static Publication publication(int number) {
        return Publication.newBuilder()
                .setTopic("t")
                .setPublicationId(String.valueOf(number))
                .setPublisher("test")
                .setEdge("")
                .setQos(1)
                .setRetain(false)
                .setEventTime(number)
                .setUserProperties(List.of())
                .setPayload(ByteBuffer.allocate(0))
                .build();
    }

    private static List<Integer> numbers(List<ConsumerRecord<byte[], byte[]>> records) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            numbers.add((int) Framing.decode(record.value(), Publication.class).getEventTime());
        }
        numbers.sort(null);
        return numbers;
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
                    ReplayFailedException.class, () -> replay(kafka, ReplayConfig.of(List.of(file), mapping), 1));
            assertThat(e)
                    .hasMessageContaining("Kafka did not take a publication")
                    .hasMessageContaining("RecordTooLarge");
            assertThat(e.report().acknowledged()).isEqualTo(1);
            assertThat(e.report().sent()).isEqualTo(2);
        }
    }

    @Test
    void shouldReplayAMonthOfBerlinsDetectors() throws Exception {
        Path data = realCity().resolve(RealCity.READINGS);
        Map<String, Integer> expected = new TreeMap<>();
        for (String line : rows(data)) {
            expected.merge(line.substring(0, line.indexOf(';')), 1, Integer::sum);
        }
        int rows = expected.values().stream().mapToInt(Integer::intValue).sum();
        Mapping mapping = Mapping.load(EXAMPLES.resolve("berlin-verkehrsdetektion.json"));

        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, ReplayConfig.of(List.of(data), mapping), 10_000);
            System.out.println("Berlin, March 2024: " + report);
            assertThat(report.bad()).isZero();
            assertThat(report.remarks()).isEqualTo(Map.of("gap_shifted", 146L));
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

    /** The file is sorted by detector; hour 2 of that night is in it and hour 3 is not, as its clocks changed late. */
    @Test
    void shouldReplayTheNightOfTheSpringChangeAnHourASecondInEventTimeOrderAcrossDetectors() throws Exception {
        Path data = realCity().resolve(RealCity.READINGS);
        Map<Long, Set<String>> expected = new TreeMap<>();
        Map<String, String> hours = Map.of(
                "30.03.2024;22", "2024-03-30T21:00:00Z",
                "30.03.2024;23", "2024-03-30T22:00:00Z",
                "31.03.2024;0", "2024-03-30T23:00:00Z",
                "31.03.2024;1", "2024-03-31T00:00:00Z",
                "31.03.2024;2", "2024-03-31T01:00:00Z",
                "31.03.2024;4", "2024-03-31T02:00:00Z");
        List<String> timesInFile = new ArrayList<>();
        for (String line : rows(data)) {
            String[] columns = line.split(";", 4);
            String time = hours.get(columns[1] + ";" + columns[2]);
            if (time != null) {
                timesInFile.add(time);
                expected.computeIfAbsent(Instant.parse(time).toEpochMilli(), t -> new TreeSet<>())
                        .add(columns[0]);
            }
        }
        assertThat(timesInFile).isNotEqualTo(timesInFile.stream().sorted().toList());
        assertThat(expected).hasSize(6);

        Mapping mapping = Mapping.load(EXAMPLES.resolve("berlin-verkehrsdetektion.json"));
        ReplayConfig config = ReplayConfig.of(List.of(data), mapping)
                .withPace(Pace.MAX.withSpeed(Speed.parse("3600")))
                .withWindow(EventWindow.ALL.from("2024-03-30T22:00", mapping).to("2024-03-31T05:00", mapping));
        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, config, 1_000);
            System.out.println("Berlin, 31 March 2024: " + report);
            assertThat(report.remarks()).isEqualTo(Map.of("gap_shifted", 146L));
            assertThat(report.bad()).isZero();
            assertThat(report.took()).isBetween(Duration.ofSeconds(5), Duration.ofMinutes(2));

            Map<Long, Set<String>> found = new TreeMap<>();
            Map<Long, Long> firstArrival = new TreeMap<>();
            Map<Long, Long> lastArrival = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record : read(kafka)) {
                long time = Framing.decode(record.value(), Publication.class).getEventTime();
                found.computeIfAbsent(time, t -> new TreeSet<>()).add(new String(record.key(), StandardCharsets.UTF_8));
                firstArrival.merge(time, record.timestamp(), Math::min);
                lastArrival.merge(time, record.timestamp(), Math::max);
            }
            assertThat(found).isEqualTo(expected);
            long before = 0;
            for (Map.Entry<Long, Long> first : firstArrival.entrySet()) {
                assertThat(first.getValue())
                        .as("arrival of %s", Instant.ofEpochMilli(first.getKey()))
                        .isGreaterThan(before);
                before = lastArrival.getOrDefault(first.getKey(), 0L);
            }
        }
    }

    @Test
    void shouldGiveTheTwoHoursOfTheAutumnChangeTheirOwnTimes() throws Exception {
        Path made = Files.writeString(
                folder.resolve("october.csv"),
                """
                mq_name;tag;stunde;q
                TE001;27.10.2024;1;1
                TE001;27.10.2024;2;2
                TE001;27.10.2024;2;3
                TE001;27.10.2024;3;4
                TE002;27.10.2024;2;5
                TE002;27.10.2024;3;6
                """);
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{mq_name}", "topic": "s/{mq_name}", "separator": ";", "payload": {"template": "{q}"},
                 "time": {"columns": ["tag", "stunde"], "format": "dd.MM.yyyy H", "zone": "Europe/Berlin"}}""");
        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, ReplayConfig.of(List.of(made), mapping), 100);
            assertThat(report.remarks()).isEqualTo(Map.of("overlap_earlier", 2L, "overlap_later", 1L));
            Map<String, String> found = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record : read(kafka)) {
                Publication publication = Framing.decode(record.value(), Publication.class);
                found.put(
                        StandardCharsets.UTF_8.decode(publication.getPayload()).toString(),
                        Instant.ofEpochMilli(publication.getEventTime()).toString());
            }
            assertThat(found)
                    .containsExactly(
                            Map.entry("1", "2024-10-26T23:00:00Z"),
                            Map.entry("2", "2024-10-27T00:00:00Z"),
                            Map.entry("3", "2024-10-27T01:00:00Z"),
                            Map.entry("4", "2024-10-27T02:00:00Z"),
                            Map.entry("5", "2024-10-27T00:00:00Z"),
                            Map.entry("6", "2024-10-27T02:00:00Z"));
        }
    }

    @Test
    void shouldReplayAnOctoberOfBerlinsCountersWithoutTwoRowsAtOneTime() throws Exception {
        Path data = realCity().resolve("sensors/berlin-zaehlt/bzm_telraam_2024_10.csv.gz");
        Mapping mapping = Mapping.load(EXAMPLES.resolve("berlin-zaehlt.json"));
        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report = replay(kafka, ReplayConfig.of(List.of(data), mapping), 10_000);
            System.out.println("Berlin counts, October 2024: " + report);
            assertThat(report.bad()).isZero();
            assertThat(report.remarks()).isEqualTo(Map.of("overlap_earlier", 18L, "overlap_later", 18L));
            Set<String> times = new HashSet<>();
            for (ConsumerRecord<byte[], byte[]> record : read(kafka)) {
                times.add(new String(record.key(), StandardCharsets.UTF_8)
                        + Framing.decode(record.value(), Publication.class).getEventTime());
            }
            assertThat(times).hasSize(rows(data).size()).hasSize(41_387);
        }
    }

    @Test
    void shouldBringAllThatIsGoodOfAMessyFileAndRejectTheRestWithLineAndReason() throws Exception {
        Path messy = Files.writeString(
                folder.resolve("messy.csv"),
                String.join(
                        "\r\n",
                        "\ufeffid;zeit;wert",
                        "A;01.03.2024 08:00;12,5",
                        "abc;def;ghi",
                        "B;01.03.2024 07:00;-0,25",
                        "C;01.03.2024 09:00;viel",
                        "\"D\";01.03.2024 06:00;",
                        "E;01.03.2024 10"));
        Path rejects = folder.resolve("rejects.csv");
        Mapping mapping = Mapping.parse(
                """
                {"entity": "{id}", "topic": "s/{id}", "separator": ";", "decimal": ",",
                 "time": {"columns": ["zeit"], "format": "dd.MM.yyyy HH:mm", "zone": "Europe/Berlin"},
                 "payload": {"columns": ["wert"], "numbers": ["wert"]}}""");
        try (TestKafka kafka = TestKafka.start()) {
            ReplayReport report =
                    replay(kafka, ReplayConfig.of(List.of(messy), mapping).withRejects(rejects), 100);
            assertThat(report.badLines()).isEqualTo(Map.of("time", 1L, "payload", 1L, "columns", 1L));
            Map<String, String> found = new TreeMap<>();
            for (ConsumerRecord<byte[], byte[]> record : read(kafka)) {
                found.put(
                        new String(record.key(), StandardCharsets.UTF_8),
                        StandardCharsets.UTF_8
                                .decode(Framing.decode(record.value(), Publication.class)
                                        .getPayload())
                                .toString());
            }
            assertThat(found)
                    .containsExactly(
                            Map.entry("A", "{\"wert\":12.5}"),
                            Map.entry("B", "{\"wert\":-0.25}"),
                            Map.entry("D", "{\"wert\":null}"));
        }
        String file = "\"" + messy + "\"";
        assertThat(Files.readAllLines(rejects))
                .containsExactly(
                        "file,line,reason,detail,text",
                        file + ",3,time,\"time 'def' of zeit is not dd.MM.yyyy HH:mm\",\"abc;def;ghi\"",
                        file + ",5,payload,\"column wert is \"\"viel\"\", not a number\",\"C;01.03.2024 09:00;viel\"",
                        file + ",7,columns,\"has 2 columns, expected 3\",\"E;01.03.2024 10\"");
    }

    private static Path realCity() {
        Optional<Path> data = RealCity.data();
        Assumptions.assumeTrue(data.isPresent());
        return data.get();
    }

    /** The lines of a packed file without the first, read without the product. */
    private static List<String> rows(Path file) throws IOException {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return lines.lines().skip(1).toList();
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
        return read(kafka, topics);
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(TestKafka kafka, TopicCatalogue topics) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        List<TopicPartition> partitions = IntStream.range(0, topics.partitions())
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
