package io.hereabouts.model.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NeighborhoodTableTest {

    private static final int IDS = 3_000;

    /** Many share a slot, whatever the length of the table; some share the whole first half. */
    private static NeighborhoodId id(int n) {
        return NeighborhoodId.of(String.format("%08x%08x%016x", n % 5, n % 7 * 16, n));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldHoldWhatAMapHolds(long seed) {
        Random random = new Random(seed);
        NeighborhoodTable table = new NeighborhoodTable();
        Map<NeighborhoodId, Neighborhood> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            NeighborhoodId id = id(random.nextInt(IDS));
            Neighborhood known = table.get(id);
            assertThat(known).isSameAs(map.get(id));
            if (known == null) {
                map.put(id, table.create(id));
            } else if (random.nextInt(3) > 0) {
                assertThat(table.byCode(known.code)).isSameAs(known);
                table.remove(known);
                map.remove(id);
                assertThat(table.byCode(known.code)).isNull();
            }
        }
        Set<Integer> codes = new HashSet<>();
        List<Neighborhood> all = new ArrayList<>();
        table.forEach(neighborhood -> {
            codes.add(neighborhood.code);
            all.add(neighborhood);
        });
        assertThat(all).containsExactlyInAnyOrderElementsOf(map.values());
        assertThat(codes).hasSameSizeAs(all).allMatch(code -> code < IDS);
        map.forEach((id, neighborhood) -> assertThat(table.get(id)).isSameAs(neighborhood));
    }
}
