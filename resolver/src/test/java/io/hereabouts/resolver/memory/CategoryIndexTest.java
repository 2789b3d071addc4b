package io.hereabouts.resolver.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.GeometryFactory;

/** The index against a list that is looked through. */
class CategoryIndexTest {

    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    @ParameterizedTest
    @CsvSource({"1, 0, 300", "2, 50, 300", "3, 2000, 600", "4, 20000, 1500"})
    void shouldFindWhatLookingThroughAllFinds(long seed, int first, int changes) {
        Random random = new Random(seed);
        List<PhysicalEntity> all = new ArrayList<>();
        for (int i = 0; i < first; i++) {
            all.add(someEntity(random));
        }
        CategoryIndex index = CategoryIndex.EMPTY.with(List.copyOf(all), Set.of());
        for (int c = 0; c < changes; c++) {
            CategoryIndex before = index;
            List<PhysicalEntity> held = c % 100 == 0 ? List.copyOf(all) : List.of();
            Set<PhysicalEntity> removed = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = random.nextInt(4); i > 0 && !all.isEmpty(); i--) {
                removed.add(all.remove(random.nextInt(all.size())));
            }
            List<PhysicalEntity> added = new ArrayList<>();
            for (int i = random.nextInt(c < changes / 2 ? 5 : 2); i > 0; i--) {
                added.add(someEntity(random));
            }
            all.addAll(added);

            index = index.with(added, removed);

            double x = random.nextDouble();
            double y = random.nextDouble();
            Envelope box = new Envelope(x, x + 0.1, y, y + 0.1);
            assertThat(index.near(box)).containsExactlyInAnyOrderElementsOf(meeting(all, box));
            assertThat(index.isEmpty()).isEqualTo(all.isEmpty());
            if (!held.isEmpty()) {
                assertThat(index.entities()).containsExactlyInAnyOrderElementsOf(all);
                assertThat(before.near(box)).containsExactlyInAnyOrderElementsOf(meeting(held, box));
            }
        }
    }

    private static List<PhysicalEntity> meeting(List<PhysicalEntity> all, Envelope box) {
        return all.stream()
                .filter(e -> e.geometry().getEnvelopeInternal().intersects(box))
                .toList();
    }

    private static PhysicalEntity someEntity(Random random) {
        return new PhysicalEntity(
                EntityId.of("e" + random.nextLong()),
                GEOMETRIES.createPoint(new Coordinate(random.nextDouble(), random.nextDouble())),
                new TreeSet<>(List.of(Category.of("c"))));
    }
}
