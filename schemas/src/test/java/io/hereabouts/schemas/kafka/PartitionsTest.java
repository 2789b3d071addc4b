package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    @Test
    void shouldAgreeWithKafkasOwnPartitioner() {
        SplittableRandom random = new SplittableRandom(77);
        for (int i = 0; i < 100_000; i++) {
            byte[] key = new byte[random.nextInt(1, 40)];
            random.nextBytes(key);
            int partitions = random.nextInt(1, 200);
            assertThat(Partitions.partitionOf(key, partitions))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(key, partitions));
        }
    }

    @Test
    void shouldUseTheUtf8BytesOfEntitiesAndNeighborhoods() {
        for (String id : new String[] {"TE001", "zone/17", "straße/ü", "😀", "x".repeat(256)}) {
            byte[] utf8 = id.getBytes(StandardCharsets.UTF_8);
            assertThat(Partitions.partitionOf(EntityId.of(id), 12))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(utf8, 12));
        }
        byte[] everywhere = "*".getBytes(StandardCharsets.UTF_8);
        assertThat(Partitions.partitionOf(NeighborhoodId.EVERYWHERE, 12))
                .isEqualTo(BuiltInPartitioner.partitionForKey(everywhere, 12));
    }

    /** What other languages must find too. */
    @Test
    void shouldNotChange() {
        assertThat(Partitions.partitionOf(EntityId.of("TE001"), 12)).isEqualTo(6);
        assertThat(Partitions.partitionOf(EntityId.of("zone/17"), 12)).isEqualTo(2);
        assertThat(Partitions.partitionOf(EntityId.of("ü"), 12)).isEqualTo(2);
    }
}
