package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class ByteLinesTest {

    @Test
    void shouldEndLinesAtEitherKindOfEndAndAtTheEndOfTheFile() throws IOException {
        assertThat(lines("a\nb\r\n\nlast".getBytes(StandardCharsets.UTF_8))).containsExactly("a", "b", "", "last");
        assertThat(lines("a\n".getBytes(StandardCharsets.UTF_8))).containsExactly("a");
        assertThat(lines(new byte[0])).isEmpty();
        assertThat(lines(new byte[] {'x'})).containsExactly("x");
        assertThat(lines(new byte[] {'\n'})).containsExactly("");
    }

    @Test
    void shouldUnpackGzipOfSeveralMembersWhateverItIsCalled() throws IOException {
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.write(gzip("a\nb"));
        two.write(gzip("c\nd\n"));
        assertThat(lines(two.toByteArray())).containsExactly("a", "bc", "d");
    }

    @Test
    void shouldFailWhereGzipIsCutOff() throws IOException {
        byte[] whole = gzip("a\n".repeat(1_000));
        assertThatThrownBy(() -> lines(Arrays.copyOf(whole, whole.length - 9))).isInstanceOf(EOFException.class);
    }

    @Test
    void shouldAgreeWithSplitOnRandomLinesOfAnyLength() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder();
            List<String> expected = new ArrayList<>();
            for (int n = random.nextInt(20); n > 0; n--) {
                String line = "x".repeat(random.nextInt(2) == 0 ? random.nextInt(5) : random.nextInt(200_000));
                expected.add(line);
                text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
            }
            assertThat(lines(text.toString().getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
        }
    }

    @Test
    void shouldCutLongLinesAndSaySo() throws IOException {
        byte[] bytes = ("y".repeat(ByteLines.MAX_BYTES + 1) + "\n" + "z".repeat(ByteLines.MAX_BYTES) + "\nshort\n")
                .getBytes(StandardCharsets.UTF_8);
        try (ByteLines lines = ByteLines.of(new ByteArrayInputStream(bytes))) {
            assertThat(lines.next()).hasSize(ByteLines.MAX_BYTES);
            assertThat(lines.tooLong()).isTrue();
            assertThat(lines.next()).hasSize(ByteLines.MAX_BYTES);
            assertThat(lines.tooLong()).isFalse();
            assertThat(lines.next()).hasSize(5);
            assertThat(lines.number()).isEqualTo(3);
            assertThat(lines.next()).isNull();
        }
    }

    private static List<String> lines(byte[] bytes) throws IOException {
        try (ByteLines lines = ByteLines.of(new ByteArrayInputStream(bytes))) {
            List<String> all = new ArrayList<>();
            for (byte[] line = lines.next(); line != null; line = lines.next()) {
                all.add(new String(line, StandardCharsets.UTF_8));
            }
            assertThat(lines.number()).isEqualTo(all.size());
            return all;
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }
}
