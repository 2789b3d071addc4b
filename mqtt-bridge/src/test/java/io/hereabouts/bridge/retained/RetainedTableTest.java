package io.hereabouts.bridge.retained;

import static io.hereabouts.bridge.retained.RetainedRecord.at;
import static io.hereabouts.bridge.retained.RetainedRecord.kept;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.bridge.retained.RetainedTable.Change;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetainedTableTest {

    private static final RetainedKey KEY = new RetainedKey("a", "e");

    private final RetainedTable table = new RetainedTable(10_000);

    @Test
    void shouldKeepTheLastByTheOrderOfPublicationsWhateverComesLast() {
        assertThat(table.put(kept("a", "e", 5))).isEqualTo(Change.TAKEN);
        assertThat(table.put(kept("a", "e", 4))).isEqualTo(Change.OLDER);
        assertThat(table.put(kept("a", "e", 5))).isEqualTo(Change.SAME);
        assertThat(table.clear(KEY, at(3))).isEqualTo(Change.OLDER);
        assertThat(table.about("e")).singleElement().hasToString("a about e at " + at(5));
    }

    @Test
    void shouldRememberAClearAgainstWhatIsOlder() {
        table.put(kept("a", "e", 5));
        assertThat(table.clear(KEY, at(7))).isEqualTo(Change.TAKEN);
        assertThat(table.isEmpty()).isTrue();
        assertThat(table.put(kept("a", "e", 6))).isEqualTo(Change.OLDER);
        assertThat(table.position(KEY)).isEqualTo(at(7));
        assertThat(table.put(kept("a", "e", 8))).isEqualTo(Change.TAKEN);
        assertThat(table.bytes()).isPositive();
        table.forget(KEY);
        assertThat(table.bytes()).isZero();
        assertThat(table.entityCount()).isZero();
    }

    @Test
    void shouldForgetWhatHasExpiredButNotHowNewItWas() {
        table.put(kept("a", "e", 5, 2L));
        table.put(kept("b", "e", 6));
        table.expire(2_999);
        assertThat(table.size()).isEqualTo(2);
        table.expire(3_000);
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.put(kept("a", "e", 4))).isEqualTo(Change.OLDER);
    }

    @Test
    void shouldHaveRoomForWhatReplacesAnotherAndNotForMore() {
        RetainedTable small = new RetainedTable(RetainedTable.bytes(KEY, 1_000));
        assertThat(small.hasRoom(KEY, 1_000)).isTrue();
        assertThat(small.hasRoom(KEY, 1_001)).isFalse();
        small.reserve(1);
        assertThat(small.hasRoom(KEY, 1_000)).as("another is on its way").isFalse();
        small.reserve(-1);
        small.put(kept("a", "e", 5));
        assertThat(small.hasRoom(KEY, 1_000)).isTrue();
        assertThat(small.hasRoom(new RetainedKey("b", "e"), 1_000)).isFalse();
    }

    @Test
    void shouldNotTakeWhatIsNoPublicationToItsTopic() {
        byte[] framed = Framing.encode(RetainedRecord.publication("b", "x", null));
        assertThatThrownBy(() -> Retained.of(KEY, at(1), framed, 0)).isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> Retained.of(KEY, at(1), new byte[] {1, 2}, 0))
                .isInstanceOf(UndecodableException.class);
    }

    /** Records in any order end in what the highest position of each key says, and the memory is theirs. */
    @Test
    void shouldEndTheSameInWhateverOrder() {
        for (long seed : new long[] {1, 2, System.nanoTime()}) {
            System.out.println("retained table: seed " + seed);
            Random random = new Random(seed);
            RetainedTable shuffled = new RetainedTable(Long.MAX_VALUE);
            Map<RetainedKey, Long> highest = new HashMap<>();
            Map<RetainedKey, Boolean> cleared = new HashMap<>();
            for (int i = 0; i < 2_000; i++) {
                RetainedKey key = new RetainedKey("t" + random.nextInt(3), "e" + random.nextInt(20));
                long offset = random.nextInt(100_000) * 100L + i % 100;
                boolean clears = random.nextInt(4) == 0;
                if (clears) {
                    shuffled.clear(key, at(offset));
                } else {
                    shuffled.put(kept(key.topic(), key.entity(), offset));
                }
                if (offset > highest.getOrDefault(key, -1L)) {
                    highest.put(key, offset);
                    cleared.put(key, clears);
                }
            }
            long bytes = 0;
            for (Map.Entry<RetainedKey, Long> each : highest.entrySet()) {
                Retained retained = shuffled.get(each.getKey());
                assertThat(retained == null).isEqualTo(cleared.get(each.getKey()));
                if (retained != null) {
                    assertThat(retained.position()).isEqualTo(at(each.getValue()));
                    assertThat(shuffled.about(each.getKey().entity())).contains(retained);
                    bytes += RetainedTable.bytes(retained.key(), retained.framed().length);
                }
            }
            assertThat(shuffled.bytes()).isEqualTo(bytes);
        }
    }
}
