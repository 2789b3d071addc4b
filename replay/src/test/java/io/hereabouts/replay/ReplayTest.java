package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Publication;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        assertThat(report.firstEvent()).isEqualTo(first.getEventTime());
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
                java.nio.file.StandardOpenOption.APPEND);
        Files.writeString(
                file,
                "B;01.03.2024;6;1;1;" + "x".repeat(ByteLines.MAX_BYTES) + "\nB;01.03.2024;7;1;1;ok",
                java.nio.file.StandardOpenOption.APPEND);

        ReplayReport report = run(config(file, MAPPING));

        assertThat(bad)
                .containsExactly(
                        "3 has 2 columns, expected 6",
                        "5 time '31.02.2024 0' of tag, stunde is not dd.MM.yyyy H",
                        "6 time 2024-03-31T02:00 does not exist in Europe/Berlin",
                        "7 entity id has a control character at index 4",
                        "8 topic name has wildcard '+' at index 9",
                        "9 quote of column 4 is not closed",
                        "11 is not UTF-8",
                        "12 line is longer than 1048576 bytes");
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
        assertThat(report.timesTwice()).isEqualTo(1);
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
        run(config(file, MAPPING).withSpeed(Speed.parse("3600")));
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
        run(config(file, MAPPING).withSpeed(Speed.parse("3600")));
        assertThat(sink.nanos).containsExactly(0L, 1_000_000_000L, 3_500_000_000L, 3_500_000_000L, 4_000_000_000L);
    }

    @Test
    void shouldRefuseASortedFileThatIsNot() throws Exception {
        Path file =
                file("mq;tag;stunde;q;v;ort", "A;01.03.2024;1;1;1;x", "A;01.03.2024;1;2;1;x", "B;01.03.2024;0;1;1;x");
        ReplayFailedException e = catchThrowableOfType(
                ReplayFailedException.class, () -> run(config(file, MAPPING).withSorted(true)));
        assertThat(e).hasMessageContaining("line 4 is earlier");
        assertThat(e.report().sent()).isEqualTo(2);
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
    void shouldFailWhereTheFileHasNotTheColumnsOrBreaksOff() throws Exception {
        Path other = file("mq;tag;q", "A;01.03.2024;1");
        assertThatThrownBy(() -> run(config(other, MAPPING)))
                .isInstanceOf(ReplayFailedException.class)
                .hasMessageContaining("has no column ort, stunde, v; its columns are mq, tag, q");
        Path empty = file();
        assertThatThrownBy(() -> run(config(empty, MAPPING))).hasMessageContaining("is empty");
        Path twice = file("mq;mq;tag;stunde;q;v;ort");
        assertThatThrownBy(() -> run(config(twice, MAPPING))).hasMessageContaining("two columns are named mq");
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
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReplayConfig(
                        folder.resolve("none"), mapping, Speed.MAX, false, " ", 5, folder.resolve("nowhere")))
                .withMessageContainingAll("replay.file", "replay.publisher", "replay.sort-memory", "replay.temporary");
    }

    private ReplayReport run(ReplayConfig config) throws ReplayFailedException, InterruptedException {
        ReplayProgress progress = new ReplayProgress() {
            @Override
            public void badLine(long line, String reason) {
                bad.add(line + " " + reason);
            }
        };
        return Replay.run(config, sink, clock, progress, metrics);
    }

    private ReplayConfig config(Path file, String mapping) throws InvalidMappingException {
        return ReplayConfig.of(file, Mapping.parse(mapping)).withSortMemory(ReplayConfig.DEFAULT_SORT_MEMORY, folder);
    }

    private Path file(String... lines) throws IOException {
        return Files.writeString(folder.resolve("made.csv"), String.join("\n", lines));
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
        private boolean flushed;

        @Override
        public void send(EntityId entity, Publication publication) throws SinkFailedException {
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
