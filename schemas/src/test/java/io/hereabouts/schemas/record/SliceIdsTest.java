package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

class SliceIdsTest {

    @Test
    void shouldGiveBackRandomIdsSortedByTheirBytes() throws Exception {
        SplittableRandom random = new SplittableRandom(31);
        for (int i = 0; i < 500; i++) {
            Set<String> ids = new HashSet<>();
            for (int n = random.nextInt(200); n > 0; n--) {
                ids.add(random.nextInt(3) == 0 ? "x" + Records.text(random) : "detector/" + random.nextInt(1_000_000));
            }
            List<byte[]> found = decode(SliceIds.encode(ids), ids.size());
            assertThat(found).isSortedAccordingTo(Arrays::compareUnsigned);
            assertThat(texts(found)).containsExactlyInAnyOrderElementsOf(ids);
        }
    }

    @Test
    void shouldWriteRepeatsOnceTakeTheLongestIdsAndBeSmall() throws Exception {
        assertThat(texts(decode(SliceIds.encode(List.of("b", "a", "b")), 2))).containsExactly("a", "b");
        assertThat(decode(SliceIds.encode(List.of()), 0)).isEmpty();
        String longest = "z".repeat(256);
        assertThat(texts(decode(SliceIds.encode(List.of(longest, "ÿ")), 2))).containsExactly(longest, "ÿ");

        List<String> many = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            many.add("way/" + (100_000_000 + i * 7));
        }
        byte[] bytes = SliceIds.encode(many);
        assertThat(bytes.length).isLessThan(4 * many.size());
        assertThat(decode(bytes, many.size())).hasSize(many.size());
    }

    @Test
    void shouldHandOutArraysThatNobodySharesWithTheDecoder() throws Exception {
        List<String> found = new ArrayList<>();
        SliceIds.decode(SliceIds.encode(List.of("aaa", "aab", "aac")), 3, id -> {
            found.add(new String(id, StandardCharsets.UTF_8));
        });
        assertThat(found).containsExactly("aaa", "aab", "aac");
    }

    @Test
    void shouldRefuseAnotherNumberOfIds() {
        byte[] bytes = SliceIds.encode(List.of("a", "b"));
        for (int count : new int[] {-1, 0, 1, 3, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> decode(bytes, count))
                    .isExactlyInstanceOf(UndecodableException.class)
                    .hasMessageContaining("expected " + count);
        }
    }

    @Test
    void shouldRefuseIdsThatCannotBe() throws IOException {
        // shared 0, own 0: an empty id
        assertHostile(deflated(0, 0), 1, "empty");
        // shares more than the one before has
        assertHostile(deflated(0, 1, 'a', 2, 1, 'b'), 2, "");
        // claims more than there is
        assertHostile(deflated(0, 5, 'a'), 1, "");
        // not ascending: the same twice, and backwards
        assertHostile(deflated(0, 1, 'a', 1, 0), 2, "order");
        assertHostile(deflated(0, 1, 'b', 0, 1, 'a'), 2, "order");
        // 257 bytes
        byte[] tooLong = new byte[3 + 257];
        tooLong[1] = (byte) 0x81;
        tooLong[2] = 0x02;
        assertHostile(deflated(tooLong), 1, "256");
        // lengths that overflow
        assertHostile(deflated(0xff, 0xff, 0xff, 0xff, 0x7f, 1, 'a'), 1, "");
        assertHostile(deflated(0, 0xff, 0xff, 0xff, 0xff, 0x07), 1, "");
        assertHostile(deflated(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), 1, "");
        // left over behind the deflated part
        byte[] good = SliceIds.encode(List.of("a"));
        assertHostile(Arrays.copyOf(good, good.length + 3), 1, "left over");
    }

    /** 64 MiB of one byte in 64 KiB: whatever count is claimed, next to nothing of it may be unpacked. */
    @Test
    void shouldNotUnpackABomb() throws IOException {
        for (int filler : new int[] {0, 1, 0x7f}) {
            ByteArrayOutputStream bomb = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(bomb)) {
                byte[] chunk = new byte[1 << 20];
                Arrays.fill(chunk, (byte) filler);
                for (int i = 0; i < 64; i++) {
                    out.write(chunk);
                }
            }
            for (int count : new int[] {1, 1_000, Integer.MAX_VALUE}) {
                AtomicInteger handedOver = new AtomicInteger();
                assertThatThrownBy(() -> SliceIds.decode(bomb.toByteArray(), count, id -> handedOver.incrementAndGet()))
                        .isExactlyInstanceOf(UndecodableException.class);
                assertThat(handedOver.get()).isLessThan(300);
            }
        }
    }

    @Test
    void shouldAnswerGarbageWithNothingButUndecodable() throws IOException {
        SplittableRandom random = new SplittableRandom(32);
        int undecodable = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] bytes;
            switch (random.nextInt(3)) {
                case 0 -> {
                    bytes = new byte[random.nextInt(40)];
                    random.nextBytes(bytes);
                }
                case 1 -> {
                    byte[] plain = new byte[random.nextInt(40)];
                    random.nextBytes(plain);
                    bytes = deflated(plain);
                }
                default -> {
                    bytes = SliceIds.encode(
                            List.of("a" + random.nextInt(), "b" + random.nextInt(), Records.text(random) + "c"));
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            }
            try {
                decode(bytes, 3);
            } catch (UndecodableException e) {
                undecodable++;
            }
        }
        assertThat(undecodable).isGreaterThan(25_000);
    }

    @Test
    void shouldRefuseEveryTruncation() {
        byte[] bytes = SliceIds.encode(List.of("alpha", "beta", "gamma"));
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> decode(cut, 3))
                    .as("%d bytes", length)
                    .isExactlyInstanceOf(UndecodableException.class);
        }
    }

    private static void assertHostile(byte[] bytes, int count, String problem) {
        assertThatThrownBy(() -> decode(bytes, count))
                .isExactlyInstanceOf(UndecodableException.class)
                .hasMessageContaining(problem);
    }

    private static List<byte[]> decode(byte[] bytes, int count) throws UndecodableException {
        List<byte[]> found = new ArrayList<>();
        SliceIds.decode(bytes, count, found::add);
        return found;
    }

    private static List<String> texts(Collection<byte[]> ids) {
        return ids.stream().map(id -> new String(id, StandardCharsets.UTF_8)).toList();
    }

    private static byte[] deflated(int... plain) throws IOException {
        byte[] bytes = new byte[plain.length];
        for (int i = 0; i < plain.length; i++) {
            bytes[i] = (byte) plain[i];
        }
        return deflated(bytes);
    }

    private static byte[] deflated(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(plain);
        }
        return out.toByteArray();
    }
}
