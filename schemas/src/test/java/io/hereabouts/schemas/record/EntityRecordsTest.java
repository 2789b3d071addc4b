package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.avro.Entity;
import io.hereabouts.testkit.city.SeededCity;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntityRecordsTest {

    private final List<PhysicalEntity> city = SeededCity.generate(5, 3).entities();

    @Test
    void shouldGiveBackACity() throws Exception {
        for (PhysicalEntity entity : city) {
            byte[] bytes = Framing.encode(EntityRecords.toRecord(entity, 42));
            Entity record = Framing.decode(bytes, Entity.class);
            PhysicalEntity again = EntityRecords.fromRecord(entity.id().value(), record);
            assertThat(record.getWorldVersion()).isEqualTo(42);
            assertThat(again.geometry().equalsExact(entity.geometry())).isTrue();
            assertThat(again.categories()).isEqualTo(entity.categories());
            assertThat(again.id()).isEqualTo(entity.id());
        }
    }

    @Test
    void shouldRefuseWhatIsNoEntity() {
        assertThatThrownBy(() -> EntityRecords.fromRecord("x", new Entity(1L, List.of("a"), null)))
                .isExactlyInstanceOf(UndecodableException.class)
                .hasMessageContaining("PostGIS");
        Entity good = EntityRecords.toRecord(city.get(0), 1);
        assertThatThrownBy(() -> EntityRecords.fromRecord("", good)).isExactlyInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> EntityRecords.fromRecord("x", new Entity(1L, List.of(), good.getGeometry())))
                .isExactlyInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> EntityRecords.fromRecord("x", new Entity(1L, List.of("/"), good.getGeometry())))
                .isExactlyInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldAnswerSpoiledGeometryWithNothingButUndecodable() {
        SplittableRandom random = new SplittableRandom(6);
        for (int i = 0; i < 20_000; i++) {
            Entity good = EntityRecords.toRecord(city.get(random.nextInt(city.size())), 1);
            byte[] wkb = new byte[good.getGeometry().remaining()];
            good.getGeometry().duplicate().get(wkb);
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                wkb[random.nextInt(Math.min(wkb.length, 20))] = (byte) random.nextInt();
            }
            try {
                EntityRecords.fromRecord("x", new Entity(1L, List.of("a"), ByteBuffer.wrap(wkb)));
            } catch (UndecodableException e) {
                assertThat(e.getMessage()).startsWith("entity x");
            }
        }
    }
}
