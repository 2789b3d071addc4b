package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Publication;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {

    private static final String MAPPING =
            """
            {"entity": "mq/{mq}", "topic": "sensors/{mq}/traffic", "separator": ";", "decimal": ",",
             "time": {"columns": ["tag", "stunde"], "format": "dd.MM.yyyy H", "zone": "Europe/Berlin"},
             "payload": {"columns": ["q", "v", "ort"], "time": "time"}}""";

    @TempDir
    private Path folder;

    private final RecordingSink sink = new RecordingSink();
    private final SteppedClock clock = new SteppedClock();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final List<String> bad = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    @Test
    void shouldMakePublicationsOfRowsInOrderOfEventTime() throws Exception {
        Path file = file("mq;tag;stunde;q;v;ort;unused", "B;01.03.2024;1;7;48,5;;x", "A;01.03.2024;0;12;-1;\"A;B\";x");
        ReplayReport report = run(config(file, MAPPING));

        assertThat(sink.sent).hasSize(2);
        Publication first = sink.sent.get(0).publication();
        assertThat(sink.sent.get(0).entity()).isEqualTo(EntityId.of("mq/A"));
        assertThat(first.getTopic()).isEqualTo("sensors/A/traffic");
        assertThat(first.getEventTime())
                .isEqualTo(Instant.parse("2024-02-29T23:00:00Z").toEpochMilli());
        assertThat(text(first)).isEqualTo("{\"time\":\"2024-02-29T23:00:00Z\",\"q\":12,\"v\":-1,\"ort\":\"A;B\"}");
        assertThat(first.getContentType()).isEqualTo("application/json");
        assertThat(first.getPayloadFormatIndicator()).isEqualTo(1);
        assertThat(first.getPublisher()).isEqualTo("hereabouts-replay");
        assertThat(first.getQos()).isEqualTo(1);
        assertThat(first.getPublicationId()).matches("[0-9a-f]{32}");
        assertThat(text(sink.sent.get(1).publication()))
                .isEqualTo("{\"time\":\"2024-03-01T00:00:00Z\",\"q\":7,\"v\":48.5,\"ort\":null}");
        assertThat(report.lines()).isEqualTo(3);
        assertThat(report.sent()).isEqualTo(2);
        assertThat(report.acknowledged()).isEqualTo(2);
        assertThat(report.bad()).isZero();
        assertThat(report.firstEvent()).isEqualTo(Instant.parse("2024-02-29T23:00:00Z"));
        assertThat(report.lastEvent()).isEqualTo(Instant.parse("2024-03-01T00:00:00Z"));
        assertThat(sink.flushed).isTrue();
    }

    @Test
    void shouldReportAndCountBadLinesAndGoOn() throws Exception {
        Path file = folder.resolve("bad.csv");
        Files.write(
                file,
                List.of(
                        "mq;tag;stunde;q;v;ort",
                        "A;01.03.2024;0;1;1;Köln",
                        "too;short",
                        "",
                        "A;31.02.2024;0;1;1;x",
                        "A;31.03.2024;2;1;1;x",
                        "A\u0001;01.03.2024;3;1;1;x",
                        "A+;01.03.2024;3;1;1;x",
                        "A;01.03.2024;4;\"1;1;x",
                        "A;27.10.2024;2;1;1;x"),
                StandardCharsets.UTF_8);
        Files.write(
                file,
                "B;01.03.2024;5;1;1;K\u00f6ln\n".getBytes(StandardCharsets.ISO_8859_1),
                StandardOpenOption.APPEND);
        Files.writeString(
                file,
                "B;01.03.2024;6;1;1;" + "x".repeat(ByteLines.MAX_BYTES) + "\nB;01.03.2024;7;1;1;ok",
                StandardOpenOption.APPEND);

        ReplayReport report = run(config(file, MAPPING));

        assertThat(bad)
                .containsExactly(
                        "bad.csv:3 has 2 columns, expected 6",
                        "bad.csv:5 time '31.02.2024 0' of tag, stunde is not dd.MM.yyyy H",
                        "bad.csv:6 time 2024-03-31T02:00 does not exist in Europe/Berlin",
                        "bad.csv:7 entity id has a control character at index 4",
                        "bad.csv:8 topic name has wildcard '+' at index 9",
                        "bad.csv:9 quote of column 4 is not closed",
                        "bad.csv:11 is not UTF-8",
                        "bad.csv:12 line is longer than 1048576 bytes, the rest is cut off");
        assertThat(report.badLines())
                .isEqualTo(Map.of(
                        "columns",
                        2L,
                        "time",
                        1L,
                        "time_gap",
                        1L,
                        "entity",
                        1L,
                        "topic",
                        1L,
                        "encoding",
                        1L,
                        "too_long",
                        1L));
        assertThat(report.sent()).isEqualTo(3);
        assertThat(report.remarks()).isEqualTo(Map.of("overlap_earlier", 1L));
        assertThat(report.lines()).isEqualTo(13);
        assertThat(report.sent() + report.bad() + 2).as("header and empty line").isEqualTo(report.lines());
        assertThat(metrics.get("hereabouts.replay.bad.lines")
                        .tag("reason", "time_gap")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(metrics.get("hereabouts.replay.sent").counter().count()).isEqualTo(3);
    }

    @Test
    void shouldGiveARowTheSamePublicationIdEachTimeAndNoOtherRow() throws Exception {
        String header = "mq;tag;stunde;q;v;ort";
        String row = "A;01.03.2024;0;1;1;x";
        run(config(file(header, row, row), MAPPING));
        List<String> first = sink.ids();
        assertThat(first).doesNotHaveDuplicates();

        sink.sent.clear();
        run(config(file(header, row, row), MAPPING));
        assertThat(sink.ids()).isEqualTo(first);

        sink.sent.clear();
        run(config(file(header, row, "A;01.03.2024;0;2;1;x"), MAPPING));
        assertThat(sink.ids()).first().isEqualTo(first.get(0));
        assertThat(sink.ids()).last().isNotEqualTo(first.get(1));
    }

    @Test
    void shouldWaitAsEventTimeSaysDividedByTheSpeed() throws Exception {
        Path file = file(
                "mq;tag;stunde;q;v;ort",
                "A;01.03.2024;5;1;1;x",
                "A;01.03.2024;0;1;1;x",
                "B;01.03.2024;0;1;1;x",
                "A;01.03.2024;2;1;1;x");
        run(config(file, MAPPING).withPace(Pace.MAX.withSpeed(Speed.parse("3600"))));
        assertThat(sink.nanos).containsExactly(0L, 0L, 2_000_000_000L, 5_000_000_000L);
    }

    @Test
    void shouldCatchUpAfterASlowSinkInsteadOfFallingBehindForEver() throws Exception {
        Path file = file(
                "mq;tag;stunde;q;v;ort",
                "A;01.03.2024;0;1;1;x",
                "A;01.03.2024;1;1;1;x",
                "A;01.03.2024;2;1;1;x",
                "A;01.03.2024;3;1;1;x",
                "A;01.03.2024;4;1;1;x");
        sink.slowAt = 2;
        run(config(file, MAPPING).withPace(Pace.MAX.withSpeed(Speed.parse("3600"))));
        assertThat(sink.nanos).containsExactly(0L, 1_000_000_000L, 3_500_000_000L, 3_500_000_000L, 4_000_000_000L);
    }

    @Test
    void shouldCutLongPausesAndPassOverWhatIsOutsideOfTheWindow() throws Exception {
        Path file = file(
                "mq;tag;stunde;q;v;ort",
                "A;01.03.2024;0;1;1;x",
                "A;01.03.2024;1;1;1;x",
                "A;01.03.2024;23;1;1;x",
                "A;02.03.2024;0;1;1;x",
                "A;02.03.2024;1;1;1;x");
        ReplayConfig config = config(file, MAPPING);
        ReplayReport report =
                run(config.withPace(Pace.MAX.withSpeed(Speed.parse("3600")).withMaxGap(Duration.ofHours(3)))
                        .withWindow(EventWindow.ALL
                                .from("2024-03-01T01:00", config.mapping())
                                .to("2024-03-02T01:00", config.mapping())));
        assertThat(sink.nanos).containsExactly(0L, 3_000_000_000L, 4_000_000_000L);
        assertThat(report.outside()).isEqualTo(2);
        assertThat(report.pausesCut()).isEqualTo(1);
        assertThat(report.sent() + report.outside() + 1).isEqualTo(report.lines());
    }

    @Test
    void shouldMergeSeveralFilesByEventTimeSortedOrNot() throws Exception {
        Path a = file("a.csv", "mq;tag;stunde;q;v;ort", "A;01.03.2024;1;1;1;x", "A;01.03.2024;3;1;1;x");
        Path b = file("b.csv", "v;mq;tag;stunde;q;ort", "1;B;01.03.2024;1;1;x", "1;B;01.03.2024;2;1;x");
        Path c = file("c.csv", "mq;tag;stunde;q;v;ort");
        for (boolean sorted : List.of(false, true)) {
            sink.sent.clear();
            ReplayReport report = run(ReplayConfig.of(List.of(a, c, b), Mapping.parse(MAPPING))
                    .withTemporary(folder)
                    .withSorted(sorted));
            assertThat(sink.sent)
                    .extracting(s -> s.entity().value() + " "
                            + Instant.ofEpochMilli(s.publication().getEventTime()))
                    .containsExactly(
                            "mq/A 2024-03-01T00:00:00Z",
                            "mq/B 2024-03-01T00:00:00Z",
                            "mq/B 2024-03-01T01:00:00Z",
                            "mq/A 2024-03-01T02:00:00Z");
            assertThat(report.lines()).isEqualTo(7);
            assertThat(report.remarks()).isEmpty();
        }
    }

    @Test
    void shouldReportAndStillSendRowsOfASortedFileThatAreOutOfOrder() throws Exception {
        Path a = file(
                "a.csv",
                "mq;tag;stunde;q;v;ort",
                "A;01.03.2024;1;1;1;x",
                "A;01.03.2024;5;2;1;x",
                "B;01.03.2024;2;1;1;x",
                "B;01.03.2024;6;1;1;x");
        Path b = file("b.csv", "mq;tag;stunde;q;v;ort", "C;01.03.2024;4;1;1;x");
        ReplayReport report = run(ReplayConfig.of(List.of(a, b), Mapping.parse(MAPPING))
                .withSorted(true)
                .withPace(Pace.MAX.withSpeed(Speed.parse("3600"))));
        assertThat(sink.nanos).containsExactly(0L, 3_000_000_000L, 4_000_000_000L, 4_000_000_000L, 5_000_000_000L);
        assertThat(sink.sent)
                .extracting(s -> s.entity().value())
                .containsExactly("mq/A", "mq/C", "mq/A", "mq/B", "mq/B");
        assertThat(report.remarks()).isEqualTo(Map.of("out_of_order", 1L));
        assertThat(remarks).containsExactly("a.csv:4 OUT_OF_ORDER");
        assertThat(report.firstEvent()).isEqualTo(Instant.parse("2024-03-01T00:00:00Z"));
        assertThat(report.lastEvent()).isEqualTo(Instant.parse("2024-03-01T05:00:00Z"));
    }

    @Test
    void shouldReadNdjsonWithFieldsPointersAndTheNameOfTheFile() throws Exception {
        Path file = folder.resolve("sensors-42.ndjson.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(
                    """
                    {"at": 1700000001, "data": {"speed": 57.10, "unit": "km/h", "tags": [1, 2]}, "n": 1}
                    {"at": 1700000000.5, "data": {"speed": null}, "id": "of the line"}
                    {"at": 1700000002, "data": {"speed": "57"}}
                    {"data": {}}
                    [1]
                    {"at": 1, "at": 2}
                    {"at": {"t": 1}}
                    {"at": 170000000
                    """
                            .getBytes(StandardCharsets.UTF_8));
        }
        ReplayReport report = run(
                config(
                        file,
                        """
                {"fileName": "sensors-(?<id>\\\\d+)\\\\..*", "entity": "s/{id}", "topic": "t/{id}",
                 "time": {"columns": ["at"], "format": "epoch-seconds"},
                 "payload": {"columns": ["id", "/data/speed", "/data/unit", "/data/tags"], "numbers": ["/data/speed"],
                             "time": "time"}}"""));

        assertThat(sink.sent)
                .extracting(s -> s.entity() + " " + text(s.publication()))
                .containsExactly(
                        "s/42 {\"time\":\"2023-11-14T22:13:20.500Z\",\"id\":\"42\",\"speed\":null,\"unit\":null,\"tags\":null}",
                        "s/42 {\"time\":\"2023-11-14T22:13:21Z\",\"id\":\"42\",\"speed\":57.10,\"unit\":\"km/h\",\"tags\":[1,2]}");
        assertThat(bad).hasSize(6);
        assertThat(bad.subList(0, 3))
                .containsExactly(
                        "sensors-42.ndjson.gz:3 column /data/speed is \"57\", not a number",
                        "sensors-42.ndjson.gz:4 has no field 'at'",
                        "sensors-42.ndjson.gz:5 is not a JSON object");
        assertThat(bad.get(3)).startsWith("sensors-42.ndjson.gz:6 malformed JSON at column ");
        assertThat(bad.get(4)).isEqualTo("sensors-42.ndjson.gz:7 field 'at' is not a single value");
        assertThat(bad.get(5)).startsWith("sensors-42.ndjson.gz:8 malformed JSON at column ");
        assertThat(report.badLines()).isEqualTo(Map.of("payload", 1L, "columns", 2L, "json", 3L));
    }

    @Test
    void shouldKeepRejectedLinesByteForByteInAFileThatAToolCanRead() throws Exception {
        Path file = folder.resolve("bad.csv");
        byte[] latin = "K\u00f6ln;\"01.03.2024\";x\r y".getBytes(StandardCharsets.ISO_8859_1);
        Files.writeString(file, "mq;tag;stunde;q;v;ort\r\nA;01.03.2024;1;1;1;x\r\n");
        Files.write(file, latin, StandardOpenOption.APPEND);
        Files.writeString(file, "\r\nA,01.03.2024\r\n\"A\";01.03.2024;1;1", StandardOpenOption.APPEND);
        Path rejects = Files.writeString(folder.resolve("rejects.csv"), "what was there before");

        assertThat(run(config(file, MAPPING).withRejects(rejects)).sent()).isEqualTo(1);

        try (CSVParser parser = CSVParser.parse(
                rejects,
                StandardCharsets.ISO_8859_1,
                CSVFormat.RFC4180
                        .builder()
                        .setHeader()
                        .setSkipHeaderRecord(true)
                        .get())) {
            List<CSVRecord> records = parser.getRecords();
            assertThat(parser.getHeaderNames()).containsExactly("file", "line", "reason", "detail", "text");
            assertThat(records).extracting(r -> r.get("file")).containsOnly(file.toString());
            assertThat(records).extracting(r -> r.get("line")).containsExactly("3", "4", "5");
            assertThat(records).extracting(r -> r.get("reason")).containsExactly("encoding", "columns", "columns");
            assertThat(records.get(1).get("detail")).isEqualTo("has 1 columns, expected 6");
            assertThat(records.get(0).get("text").getBytes(StandardCharsets.ISO_8859_1))
                    .isEqualTo(latin);
            assertThat(records.get(2).get("text")).isEqualTo("\"A\";01.03.2024;1;1");
        }
    }

    @Test
    void shouldLeaveNoSortFileWhenItIsInterrupted() throws Exception {
        StringBuilder csv = new StringBuilder("mq;tag;stunde;q;v;ort\n");
        for (int i = 0; i < 30_000; i++) {
            csv.append("A;01.03.2024;5;1;1;").append(i).append('\n');
        }
        Path file = Files.writeString(folder.resolve("long.csv"), csv);
        sink.interruptAt = 100;
        ReplayFailedException e = catchThrowableOfType(
                ReplayFailedException.class, () -> run(config(file, MAPPING).withSortMemory(1 << 20)));
        assertThat(e).hasMessageContaining("interrupted");
        assertThat(e.report().sent()).isEqualTo(100);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void shouldFailWithCountsWhenTheSinkFails() throws Exception {
        Path file =
                file("mq;tag;stunde;q;v;ort", "A;01.03.2024;1;1;1;x", "A;01.03.2024;2;2;1;x", "B;01.03.2024;3;1;1;x");
        sink.failAt = 2;
        ReplayFailedException e = catchThrowableOfType(ReplayFailedException.class, () -> run(config(file, MAPPING)));
        assertThat(e).hasMessageContaining("broken pipe").hasMessageContaining("sent 2");
        assertThat(e.report().sent()).isEqualTo(2);
        assertThat(e.report().acknowledged()).isEqualTo(2);
    }

    @Test
    void shouldRefuseFilesThatTheMappingDoesNotFitBeforeItSendsAnything() throws Exception {
        Path good = file("good.csv", "mq;tag;stunde;q;v;ort", "A;01.03.2024;1;1;1;x");
        Path other = file("other.csv", "mq;tag;q", "A;01.03.2024;1");
        Path empty = Files.createFile(folder.resolve("empty.csv"));
        Path twice = file("twice.csv", "mq;mq;tag;stunde;q;v;ort");
        for (boolean sorted : List.of(false, true)) {
            assertThatThrownBy(() -> run(ReplayConfig.of(List.of(good, other), Mapping.parse(MAPPING))
                            .withSorted(sorted)))
                    .isInstanceOf(InvalidFileException.class)
                    .hasMessage(other + ": has no column ort, stunde, v; its columns are mq, tag, q");
        }
        assertThatThrownBy(() -> run(config(empty, MAPPING))).hasMessageContaining("is empty");
        assertThatThrownBy(() -> run(config(twice, MAPPING))).hasMessageContaining("two columns are named mq");
        assertThat(sink.sent).isEmpty();
    }

    @Test
    void shouldFailWhereAFileBreaksOffInsideOfItsGzip() throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write("mq;tag;stunde;q;v;ort\nA;01.03.2024;1;1;1;x\n".getBytes(StandardCharsets.UTF_8));
        }
        Path file =
                Files.write(folder.resolve("broken.csv.gz"), Arrays.copyOf(packed.toByteArray(), packed.size() - 8));
        ReplayFailedException e = catchThrowableOfType(ReplayFailedException.class, () -> run(config(file, MAPPING)));
        assertThat(e).hasMessageContaining("broken.csv.gz: cannot be read after line 2");
    }

    @Test
    void shouldReadOtherEncodingsHeadersAndTemplates() throws Exception {
        Path file = folder.resolve("latin.csv");
        Files.writeString(file, "Köln\t1700000000\t5\n", Charset.forName("ISO-8859-1"));
        run(
                config(
                        file,
                        """
                {"entity": "{ort}", "topic": "t", "separator": "\\t", "encoding": "ISO-8859-1", "qos": 0,
                 "header": ["ort", "at", "n"], "time": {"columns": ["at"], "format": "epoch-seconds"},
                 "payload": {"template": "{{\\"{ort}\\": {n}}}"}}"""));
        Publication p = sink.sent.get(0).publication();
        assertThat(sink.sent.get(0).entity().value()).isEqualTo("Köln");
        assertThat(text(p)).isEqualTo("{\"Köln\": 5}");
        assertThat(p.getQos()).isZero();
        assertThat(p.getContentType()).isNull();
    }

    @Test
    void shouldPassOverAByteOrderMark() throws Exception {
        Path file = file("\ufeffmq;tag;stunde;q;v;ort", "A;01.03.2024;1;1;1;x");
        assertThat(run(config(file, MAPPING)).sent()).isEqualTo(1);
    }

    @Test
    void shouldReportAllThatIsWrongWithTheConfigurationAtOnce() throws Exception {
        Mapping mapping = Mapping.parse(MAPPING);
        Path file = file("mq;tag;stunde;q;v;ort");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplayConfig.of(List.of(folder.resolve("none"), folder), mapping)
                        .withSortMemory(1 << 20))
                .withMessageContainingAll("none: is not a file", folder + ": is not a file");
        ReplayConfig good = config(file, MAPPING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.withSortMemory(5))
                .withMessageContaining("memory for sorting");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.withTemporary(folder.resolve("nowhere")))
                .withMessageContaining("nowhere: is not a folder");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> good.withRejects(folder.resolve(".").resolve("made.csv")))
                .withMessageContaining("is also the file for rejects");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplayConfig.of(List.of(), mapping))
                .withMessageContaining("at least one file");
    }

    private ReplayReport run(ReplayConfig config) throws ReplayFailedException, IOException {
        ReplayProgress progress = new ReplayProgress() {
            @Override
            public void badLine(Path file, long line, String reason) {
                bad.add(file.getFileName() + ":" + line + " " + reason);
            }

            @Override
            public void remark(Path file, long line, Remark remark) {
                remarks.add(file.getFileName() + ":" + line + " " + remark);
            }
        };
        return Replay.run(config, sink, clock, progress, metrics);
    }

    private ReplayConfig config(Path file, String mapping) throws InvalidMappingException {
        return ReplayConfig.of(List.of(file), Mapping.parse(mapping)).withTemporary(folder);
    }

    /** A file of these lines; the first is its name if it has no separator. */
    private Path file(String first, String... more) throws IOException {
        boolean named = first.indexOf(';') < 0;
        String lines = String.join("\n", more);
        return Files.writeString(folder.resolve(named ? first : "made.csv"), named ? lines : first + "\n" + lines);
    }

    private static String text(Publication publication) {
        return StandardCharsets.UTF_8
                .decode(publication.getPayload().duplicate())
                .toString();
    }

    /** Time passes only when somebody sleeps, or the sink is slow. */
    private static final class SteppedClock implements PaceClock {
        private long now;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void sleep(long nanos) {
            now += nanos;
        }
    }

    private record Sent(EntityId entity, Publication publication) {}

    private final class RecordingSink implements PublicationSink {
        private final List<Sent> sent = new ArrayList<>();
        private final List<Long> nanos = new ArrayList<>();
        private int failAt = -1;
        private int slowAt = -1;
        private int interruptAt = -1;
        private boolean flushed;

        @Override
        public void send(EntityId entity, Publication publication) throws SinkFailedException, InterruptedException {
            if (sent.size() == interruptAt) {
                throw new InterruptedException();
            }
            if (sent.size() == failAt) {
                throw new SinkFailedException("broken pipe", new IOException());
            }
            if (sent.size() == slowAt) {
                clock.now += 1_500_000_000L;
            }
            sent.add(new Sent(entity, publication));
            nanos.add(clock.now);
        }

        @Override
        public void flush() {
            flushed = true;
        }

        @Override
        public long acknowledged() {
            return sent.size();
        }

        @Override
        public void close() {}

        List<String> ids() {
            return sent.stream().map(s -> s.publication().getPublicationId()).toList();
        }
    }
}
