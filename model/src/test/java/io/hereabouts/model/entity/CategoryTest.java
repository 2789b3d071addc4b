package io.hereabouts.model.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;

class CategoryTest {

    @ParameterizedTest
    @CsvSource({
        "road/major, road/major, true",
        "road/major, road/major/motorway, true",
        "road, road/major/motorway, true",
        "road/major, road/majority, false",
        "road/major/motorway, road/major, false",
        "road, Road, false",
        "a, b/a, false",
    })
    void shouldSelectItselfAndWhatIsBelow(String category, String other, boolean selects) {
        assertThat(Category.of(category).selects(Category.of(other))).isEqualTo(selects);
    }

    @Test
    void shouldAgreeWithComparingLevels() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            String a = path(random);
            String b = path(random);
            String[] wanted = a.split("/", -1);
            String[] has = b.split("/", -1);
            boolean expected = has.length >= wanted.length;
            for (int k = 0; expected && k < wanted.length; k++) {
                expected = wanted[k].equals(has[k]);
            }
            assertThat(Category.of(a).selects(Category.of(b)))
                    .as("%s, %s", a, b)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "/", "a\nb", "a/+", "#", "a\u007f", "a\ud800", "\udc00\ud800"})
    void shouldRefuseWhatIsNoPath(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> Category.of(path)).withMessageContaining("category");
    }

    @Test
    void shouldLimitTheLength() {
        assertThat(Category.of("a".repeat(256)).path()).hasSize(256);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Category.of("a".repeat(257)))
                .withMessageContaining("257");
    }

    @Test
    void shouldBeOneOfAnEntitysCategories() {
        TreeSet<Category> categories = new TreeSet<>();
        categories.add(Category.of("zone/district"));
        categories.add(Category.of("border"));
        PhysicalEntity entity = new PhysicalEntity(
                EntityId.of("z"), new GeometryFactory().createPoint(new Coordinate(1, 2)), categories);
        categories.clear();

        assertThat(entity.isA(Category.of("zone"))).isTrue();
        assertThat(entity.isA(Category.of("border"))).isTrue();
        assertThat(entity.isA(Category.of("zone/district/x"))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PhysicalEntity(EntityId.of("z"), entity.geometry(), new TreeSet<>()))
                .withMessage("entity z has no category");
    }

    private static String path(SplittableRandom random) {
        String[] words = {"a", "ab", "b"};
        StringBuilder out = new StringBuilder(words[random.nextInt(3)]);
        for (int n = random.nextInt(3); n > 0; n--) {
            out.append('/').append(words[random.nextInt(3)]);
        }
        return out.toString();
    }
}
