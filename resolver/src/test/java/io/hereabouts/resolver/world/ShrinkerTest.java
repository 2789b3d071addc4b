package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.PhysicalEntity;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShrinkerTest {

    /** A fault that needs one certain entity and one certain relation: nothing else is left of a large trial. */
    @Test
    void shouldLeaveWhatTheFailureNeeds() throws Exception {
        int shrunk = 0;
        for (long seed = 1; seed <= 200; seed++) {
            RandomWorlds random = new RandomWorlds(seed);
            List<PhysicalEntity> entities = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                entities.add(random.entity(i));
            }
            Trial trial = new Trial(entities, random.descriptor(20));
            if (fails(trial)) {
                Trial smallest = Shrinker.shrink(trial, ShrinkerTest::fails);
                assertThat(fails(smallest)).isTrue();
                assertThat(smallest.descriptor().stages()).hasSize(1);
                assertThat(smallest.descriptor().canonicalText())
                        .containsOnlyOnce("{\"relation\":\"crosses\"}")
                        .doesNotContain("{\"and\"")
                        .doesNotContain("{\"not\"")
                        .doesNotContain("\"match\"");
                assertThat(smallest.entities())
                        .hasSizeLessThanOrEqualTo(2)
                        .allSatisfy(entity -> assertThat(entity.categories()).hasSize(1));
                shrunk++;
            }
        }
        assertThat(shrunk).isGreaterThan(20);
    }

    @Test
    void shouldPrintATest() {
        RandomWorlds random = new RandomWorlds(5);
        Trial trial = new Trial(List.of(random.entity(0)), random.descriptor(1));
        assertThat(trial.asTest("shouldAgree", List.of("e0")))
                .contains("void shouldAgree() throws Exception {")
                .contains("put(\"e0\", \"")
                .contains("resolve(\"{\\\"stages\\\":[")
                .contains(".containsExactly(\"e0\");");
    }

    private static boolean fails(Trial trial) {
        return trial.descriptor().canonicalText().contains("\"crosses\"")
                && trial.entities().stream().anyMatch(e -> e.id().value().equals("e7"));
    }
}
