package io.hereabouts.model.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Enough entities to fill and empty many pages, neighborhoods of every width, against a map. */
class EntityTableTest {

    private static final int ENTITIES = 12_000;
    private static final int WRITES = 250;

    static LongStream seeds() {
        long fresh = new Random().nextLong();
        System.out.println("EntityTableTest: random seed " + fresh);
        return LongStream.of(1, fresh);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHoldWhatAMapHoldsWhateverComesAndGoes(long seed) {
        Random random = new Random(seed);
        EntityTable table = new EntityTable();
        Map<Integer, int[]> slices = new HashMap<>();
        Map<String, Set<Integer>> expected = new HashMap<>();
        for (int w = 0; w < WRITES; w++) {
            int neighborhood = random.nextInt(30) << (4 * random.nextInt(7));
            List<byte[]> ids = new ArrayList<>();
            // now and then one that everything is in, or nothing
            int size = random.nextInt(20) == 0 ? ENTITIES : random.nextInt(4_000) * random.nextInt(2);
            for (int i = 0; i < size; i++) {
                ids.add(id(size == ENTITIES ? i : random.nextInt(ENTITIES)));
            }
            int[] wanted = table.intern(ids);
            int[] present = slices.getOrDefault(neighborhood, new int[0]);
            Set<Integer> stay = asSet(present);
            stay.retainAll(asSet(wanted));
            for (int code : wanted) {
                if (!stay.contains(code)) {
                    table.add(code, neighborhood);
                }
            }
            for (int code : present) {
                if (!stay.contains(code)) {
                    table.remove(code, neighborhood);
                }
            }
            table.tidy();
            slices.put(neighborhood, wanted);
            expected.values().forEach(of -> of.remove(neighborhood));
            ids.forEach(id ->
                    expected.computeIfAbsent(text(id), x -> new HashSet<>()).add(neighborhood));
            compare(table, expected, w % 20 == 19 ? ENTITIES : 300, random);
        }
        long live = expected.values().stream().filter(of -> !of.isEmpty()).count();
        assertThat(table.size()).isEqualTo(live);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHoldAnEntityThatIsInMoreNeighborhoodsThanAPageHas(long seed) {
        Random random = new Random(seed);
        EntityTable table = new EntityTable();
        List<byte[]> ids = List.of(id(1), id(2));
        int many = 30_000 + random.nextInt(1_000);
        for (int n = 0; n < many; n++) {
            for (int code : table.intern(ids)) {
                table.add(code, n * 70);
            }
            table.tidy();
        }
        IntStack found = new IntStack();
        assertThat(table.neighborhoods(id(2), found)).isEqualTo(many);
        assertThat(values(found)).hasSize(many);
        assertThat(table.heapBytes()).isLessThan(2L * 4 * many * 2);
        int code = table.intern(ids.subList(0, 1))[0];
        for (int n = 0; n < many; n++) {
            table.remove(code, n * 70);
            table.tidy();
        }
        assertThat(table.neighborhoods(id(1), found)).isZero();
        assertThat(table.size()).isEqualTo(1);
    }

    private static void compare(EntityTable table, Map<String, Set<Integer>> expected, int some, Random random) {
        IntStack found = new IntStack();
        for (int i = 0; i < some; i++) {
            byte[] id = id(some == ENTITIES ? i : random.nextInt(ENTITIES));
            Set<Integer> of = expected.getOrDefault(text(id), Set.of());
            assertThat(table.neighborhoods(id, found)).isEqualTo(of.size());
            if (!of.isEmpty()) {
                assertThat(values(found)).isEqualTo(of);
            }
        }
    }

    private static Set<Integer> values(IntStack found) {
        Set<Integer> values = new HashSet<>();
        for (int i = 0; i < found.size(); i++) {
            values.add(found.get(i));
        }
        return values;
    }

    private static Set<Integer> asSet(int[] codes) {
        Set<Integer> set = new HashSet<>();
        for (int code : codes) {
            set.add(code);
        }
        return set;
    }

    private static byte[] id(int number) {
        return ("detector-" + "x".repeat(number % 40) + number).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] id) {
        return new String(id, StandardCharsets.UTF_8);
    }
}
