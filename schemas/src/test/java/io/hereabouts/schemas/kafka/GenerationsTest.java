package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.avro.Growth;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GenerationsTest {

    private static final Generation FIRST = Generation.first(12);
    private static final Generation SECOND = new Generation(2, 20);

    @Test
    void shouldGrowStepByStepAndSayWherePublicationsGo() throws Exception {
        Generations only = Generations.only(FIRST);
        Generations preparing = only.preparing(20);
        Generations switched = preparing.switched();

        assertThat(only.published()).isEqualTo(FIRST);
        assertThat(preparing.published()).isEqualTo(FIRST);
        assertThat(preparing.all()).isEqualTo(List.of(FIRST, SECOND));
        assertThat(switched.published()).isEqualTo(SECOND);
        assertThat(switched.current()).isEqualTo(FIRST);
        assertThat(switched.grown()).isEqualTo(Generations.only(SECOND));
        for (Generations state : List.of(only, preparing, switched, switched.grown())) {
            assertThat(Generations.parse(state.value())).isEqualTo(state);
        }
    }

    @Test
    void shouldNameTheTopicsOfEachGeneration() {
        TopicCatalogue topics = TopicCatalogue.withPartitions(12);

        assertThat(topics.publications()).isEqualTo("hereabouts.publications");
        assertThat(topics.at(SECOND).publications()).isEqualTo("hereabouts.publications.g2");
        assertThat(topics.at(SECOND).filters()).isEqualTo("hereabouts.filters.g2");
        assertThat(topics.at(SECOND).partitions()).isEqualTo(20);
        assertThat(topics.at(SECOND).entities()).isEqualTo(topics.entities());
        assertThat(topics.at(SECOND).entityPartitions()).isEqualTo(12);
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThatThrownBy(() -> Generations.only(FIRST).switched()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Generations(FIRST, Optional.of(new Generation(3, 20)), false))
                .hasMessage("generation 3 (20 partitions) does not follow generation 1 (12 partitions)");
        assertThatThrownBy(() -> Generation.first(0)).hasMessage("topics.partitions is 0, expected at least 1");
        assertThatThrownBy(() -> Generations.parse(Framing.encode(new Growth(0, 12, 0, 0, false))))
                .isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> Generations.parse(Framing.encode(new Growth(1, 12, 0, 0, true))))
                .isInstanceOf(UndecodableException.class);
    }
}
