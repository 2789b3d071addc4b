package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Owner;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FramingTest {

    static IntStream kinds() {
        return Records.kinds();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldGiveBackWhatItWasGiven(int kind) throws Exception {
        SplittableRandom random = new SplittableRandom(kind);
        for (int i = 0; i < 200; i++) {
            SpecificRecord record = Records.random(random, kind);
            byte[] bytes = Framing.encode(record);
            assertThat(Framing.schemaId(bytes)).isEqualTo(kind);
            assertThat(Framing.decode(bytes)).isEqualTo(record);
            assertThat(Framing.decode(bytes, record.getClass())).isEqualTo(record);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldRefuseEveryTruncationAndWhatIsLeftOver(int kind) throws Exception {
        SplittableRandom random = new SplittableRandom(100 + kind);
        for (int i = 0; i < 6; i++) {
            byte[] bytes = Framing.encode(Records.random(random, kind));
            for (int length = 0; length < Math.min(bytes.length, 200); length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> Framing.decode(cut)).isExactlyInstanceOf(UndecodableException.class);
            }
            assertThatThrownBy(() -> Framing.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                    .isExactlyInstanceOf(UndecodableException.class)
                    .hasMessageContaining("left over");
            assertThat(Framing.decode(bytes))
                    .as("the decoder is sound after failures")
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void shouldAnswerGarbageWithNothingButUndecodable(int kind) {
        SplittableRandom random = new SplittableRandom(200 + kind);
        int undecodable = 0;
        for (int i = 0; i < 6_000; i++) {
            byte[] bytes;
            if (random.nextBoolean()) {
                bytes = new byte[random.nextInt(60)];
                random.nextBytes(bytes);
            } else {
                bytes = Framing.encode(Records.random(random, kind));
                for (int n = random.nextInt(1, 4); n > 0; n--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
            }
            if (bytes.length > 5) {
                bytes[0] = 0;
                bytes[1] = 0;
                bytes[2] = 0;
                bytes[3] = 0;
                bytes[4] = (byte) kind;
            }
            try {
                Framing.decode(bytes);
            } catch (UndecodableException e) {
                undecodable++;
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(undecodable).isPositive();
    }

    /** A length that is claimed and not there must not be believed: each claim here asks for gigabytes. */
    @ParameterizedTest
    @MethodSource("kinds")
    void shouldNotTakeMemoryForLengthsThatAreOnlyClaimed(int kind) {
        for (byte[] claim : new byte[][] {
            {(byte) 0xfe, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
            {(byte) 0xd0, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
            {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 0x04},
            {
                (byte) 0xfe,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                (byte) 0xff,
                0x01
            },
            {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x07}
        }) {
            for (int before = 0; before < 16; before++) {
                byte[] bytes = new byte[5 + before + claim.length + 4];
                bytes[4] = (byte) kind;
                System.arraycopy(claim, 0, bytes, 5 + before, claim.length);
                try {
                    Framing.decode(bytes);
                } catch (UndecodableException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    @Test
    void shouldSayWhatItExpectedAndFound() {
        assertThatThrownBy(() -> Framing.decode(new byte[0])).hasMessageContaining("found 0 bytes");
        assertThatThrownBy(() -> Framing.decode(new byte[] {7, 0, 0, 0, 1, 2}))
                .hasMessageContaining("beginning with 7");
        assertThatThrownBy(() -> Framing.decode(new byte[] {0, 0, 0, 1, 0, 2})).hasMessage("unknown schema id 256");
        assertThatThrownBy(() -> Framing.decode(Framing.encode(new Owner("x")), Applied.class))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("expected Applied, found Owner");
    }
}
