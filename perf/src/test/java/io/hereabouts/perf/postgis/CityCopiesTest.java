package io.hereabouts.perf.postgis;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.testkit.city.SeededCity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;

class CityCopiesTest {

    private static final int TOTAL = 20_000;
    private static final long SEED = 17;

    @Test
    void shouldMakeAsManyAsWantedWithIdsOfTheirOwn() throws Exception {
        List<PhysicalEntity> entities = CityCopies.of(SEED, null).entities(TOTAL);

        Set<EntityId> ids = new HashSet<>();
        entities.forEach(entity -> ids.add(entity.id()));
        assertThat(ids).hasSize(TOTAL);
        assertThat(entities).hasSize(TOTAL);
    }

    @Test
    void shouldMoveEveryCoordinateExactlyAndNoCityIntoAnother() throws Exception {
        List<PhysicalEntity> entities = CityCopies.of(SEED, null).entities(TOTAL);

        Set<String> places = new HashSet<>();
        int city = 0;
        int at = 0;
        while (at < TOTAL) {
            List<PhysicalEntity> original =
                    SeededCity.generate(SEED + city, SeededCity.DEFAULT_SIZE).entities();
            List<PhysicalEntity> copy = entities.subList(at, Math.min(TOTAL, at + original.size()));
            Coordinate first = copy.get(0).geometry().getCoordinate();
            double east = first.x - original.get(0).geometry().getCoordinate().x;
            double north = first.y - original.get(0).geometry().getCoordinate().y;
            assertThat(places.add(east + " " + north)).isTrue();
            for (int i = 0; i < copy.size(); i++) {
                Coordinate[] moved = copy.get(i).geometry().getCoordinates();
                Coordinate[] from = original.get(i).geometry().getCoordinates();
                for (int c = 0; c < from.length; c++) {
                    // subtracted again, each gives back its original to the last digit
                    assertThat(new Coordinate(moved[c].x - east, moved[c].y - north))
                            .isEqualTo(from[c]);
                }
            }
            at += copy.size();
            city++;
        }
        assertThat(overlaps(entities)).isFalse();
    }

    private static boolean overlaps(List<PhysicalEntity> entities) {
        Envelope previous = new Envelope();
        Envelope current = new Envelope();
        String prefix = "";
        for (PhysicalEntity entity : entities) {
            String of = entity.id().value().substring(0, entity.id().value().indexOf('/'));
            if (!of.equals(prefix)) {
                prefix = of;
                previous = current;
                current = new Envelope();
            }
            current.expandToInclude(entity.geometry().getEnvelopeInternal());
            if (previous.intersects(current)) {
                return true;
            }
        }
        return false;
    }
}
