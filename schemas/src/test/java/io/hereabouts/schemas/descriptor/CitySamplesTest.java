package io.hereabouts.schemas.descriptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.testkit.city.SeededCity;
import io.hereabouts.testkit.oracle.Oracle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sample descriptors of the seeded city show something, and something else each. */
class CitySamplesTest {

    private final SeededCity city = SeededCity.generate(SeededCity.DEFAULT_SEED, SeededCity.DEFAULT_SIZE);
    private final Oracle oracle = new Oracle(city.entities(), List.of());

    @Test
    void shouldSelectSomeDetectorsAndNotAll() throws Exception {
        long all = city.entities().stream()
                .filter(e -> e.isA(Category.of("detector")))
                .count();
        Set<Set<String>> distinct = new HashSet<>();
        for (String text : List.of(city.oneStageDescriptor(), city.twoStageDescriptor(), city.booleanDescriptor())) {
            SortedSet<String> members = oracle.resolve(parse(text));
            assertThat(detectors(members).count()).as("%s%n%s", text, members).isBetween(2L, all / 3);
            distinct.add(members);
        }
        assertThat(distinct).hasSize(3);
    }

    @Test
    void shouldSelectTheSecondStageOnlyInTheTwoStageSample() throws Exception {
        assertThat(oracle.resolve(parse(city.twoStageDescriptor()))).allMatch(id -> id.startsWith("detector/"));
    }

    private static Stream<String> detectors(SortedSet<String> members) {
        return members.stream().filter(id -> id.startsWith("detector/"));
    }

    private static NeighborhoodDescriptor parse(String text) throws Exception {
        return new DescriptorParser(DescriptorLimits.DEFAULT).parse(text);
    }
}
