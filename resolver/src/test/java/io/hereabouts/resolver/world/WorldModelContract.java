package io.hereabouts.resolver.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.world.UnresolvableException.Reason;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKTReader;

/** What every {@link WorldModel} does. */
public abstract class WorldModelContract {

    private static final DescriptorParser PARSER = new DescriptorParser(DescriptorLimits.DEFAULT);
    private static final int MOST_ENTITIES = 50;

    private WorldModel world;

    /** A world that was never changed. */
    protected abstract WorldModel newWorld(ResolutionLimits limits) throws Exception;

    @BeforeEach
    void openWorld() throws Exception {
        world = newWorld(new ResolutionLimits(MOST_ENTITIES, Duration.ofSeconds(30)));
    }

    @AfterEach
    void closeWorld() {
        world.close();
    }

    /** A street through a zone, a square inside it, a kiosk on its border and one outside. */
    private void smallTown() throws Exception {
        put("zone", "zone/old", "POLYGON ((0 0, 0.01 0, 0.01 0.01, 0 0.01, 0 0))");
        put("through", "road/major/primary", "LINESTRING (-0.005 0.005, 0.015 0.005)");
        put("inside", "road/minor", "LINESTRING (0.002 0.002, 0.004 0.002)");
        put("edge", "road/minor", "LINESTRING (0 0.01, 0.01 0.01)");
        put("square", "zone/new", "POLYGON ((0.006 0.006, 0.008 0.006, 0.008 0.008, 0.006 0.008, 0.006 0.006))");
        put("border", "kiosk", "POINT (0.01 0.002)");
        put("outside", "kiosk", "POINT (0.011 0.002)");
        put("far", "roadside", "POINT (1 1)");
    }

    @ParameterizedTest
    @CsvSource({
        "intersects, through inside edge square border",
        "disjoint,   outside far",
        "touches,    edge border",
        "crosses,    through",
        "within,     inside square",
        "coveredBy,  inside edge square border",
        "contains,   ''",
        "covers,     ''",
        "overlaps,   ''",
        "equals,     ''"
    })
    void shouldReadRelationFromCandidateToReference(String relation, String expected) throws Exception {
        smallTown();
        List<String> categories = List.of("road", "zone", "kiosk", "roadside");
        assertThat(resolve(stage("zone", categories, "{\"relation\":\"" + relation + "\"}")))
                .containsExactlyInAnyOrder(words(expected));
    }

    @ParameterizedTest
    @CsvSource({"contains, zone", "covers, zone", "within, ''", "intersects, zone"})
    void shouldTurnRelationRoundForTheOtherSide(String relation, String expected) throws Exception {
        smallTown();
        assertThat(resolve(stage("square", List.of("zone"), "{\"relation\":\"" + relation + "\"}")))
                .containsExactlyInAnyOrder(words(expected));
    }

    @Test
    void shouldMatchPatternFromCandidateToReference() throws Exception {
        smallTown();
        assertThat(resolve(stage("zone", List.of("zone"), "{\"relation\":\"relate\",\"pattern\":\"2FF1FF212\"}")))
                .containsExactly("square");
        assertThat(resolve(stage("square", List.of("zone"), "{\"relation\":\"relate\",\"pattern\":\"212FF1FF2\"}")))
                .containsExactly("zone");
        assertThat(resolve(stage("zone", List.of("kiosk"), "{\"relation\":\"relate\",\"pattern\":\"FF*FF****\"}")))
                .containsExactly("outside");
    }

    @Test
    void shouldSelectCategoryAndAllBelowIt() throws Exception {
        smallTown();
        String anywhere = "{\"or\":[{\"relation\":\"intersects\"},{\"relation\":\"disjoint\"}]}";
        assertThat(resolve(stage("zone", List.of("road"), anywhere))).containsExactly("edge", "inside", "through");
        assertThat(resolve(stage("zone", List.of("road/major"), anywhere))).containsExactly("through");
        assertThat(resolve(stage("zone", List.of("road/maj"), anywhere))).isEmpty();
        assertThat(resolve(stage("zone", List.of("kiosk", "road/minor"), anywhere)))
                .containsExactly("border", "edge", "inside", "outside");
    }

    @Test
    void shouldMeasureMetresOnTheEllipsoid() throws Exception {
        put("berlin", "a", "POINT (13.4 52.5)");
        // 0.001 degrees are 111.27 m to the north and 67.91 m to the east
        put("north", "b", "POINT (13.4 52.501)");
        put("east", "b", "POINT (13.401 52.5)");
        assertThat(resolve(near("berlin", "b", 67.90))).isEmpty();
        assertThat(resolve(near("berlin", "b", 67.92))).containsExactly("east");
        assertThat(resolve(near("berlin", "b", 111.26))).containsExactly("east");
        assertThat(resolve(near("berlin", "b", 111.28))).containsExactly("east", "north");
    }

    @Test
    void shouldMeasureToEdgesThatAreStraightInLonLat() throws Exception {
        // the parallel of 60° N: the geodesic between its ends runs 12 km farther north
        put("parallel", "a", "LINESTRING (10 60, 20 60)");
        put("on", "b", "POINT (15 60.0001)");
        put("onGeodesic", "b", "POINT (15 60.1098)");
        assertThat(resolve(near("parallel", "b", 12))).containsExactly("on");
        assertThat(resolve(near("on", "a", 12))).containsExactly("parallel");
        assertThat(resolve(near("parallel", "b", 12_500))).containsExactly("on", "onGeodesic");
    }

    @Test
    void shouldMeasureOverTheAntimeridian() throws Exception {
        put("west", "a", "POINT (179.9999 10)");
        put("east", "b", "POINT (-179.9999 10)");
        put("zone", "c", "MULTIPOLYGON (((179 9, 180 9, 180 11, 179 11, 179 9)))");
        assertThat(resolve(near("west", "b", 22))).containsExactly("east");
        assertThat(resolve(near("west", "b", 21))).isEmpty();
        assertThat(resolve(near("east", "c", 11))).containsExactly("zone");
    }

    @Test
    void shouldTakeDistanceInsideAsNothing() throws Exception {
        smallTown();
        assertThat(resolve(near("zone", "road", 0))).containsExactly("edge", "inside", "through");
        assertThat(resolve(near("inside", "zone", 0))).containsExactly("zone");
    }

    @Test
    void shouldWantOneReferenceThatMakesTheWholeConditionTrue() throws Exception {
        put("left", "zone", "POLYGON ((0 0, 1 0, 1 1, 0 1, 0 0))");
        put("right", "zone", "POLYGON ((1 0, 2 0, 2 1, 1 1, 1 0))");
        put("both", "road", "LINESTRING (0.5 0.5, 1.5 0.5)");
        put("one", "road", "LINESTRING (0.2 0.2, 0.4 0.2)");
        String leftAndRight = "{\"stages\":[{\"references\":[\"left\",\"right\"],\"categories\":[\"road\"],\"where\":"
                + "{\"and\":[{\"relation\":\"within\"},{\"not\":{\"relation\":\"within\"}}]}}]}";
        assertThat(resolve(leftAndRight)).isEmpty();
        String notWithin = "{\"stages\":[{\"references\":[\"left\",\"right\"],\"categories\":[\"road\"],"
                + "\"where\":{\"not\":{\"relation\":\"intersects\"}}%s}]}";
        assertThat(resolve(String.format(notWithin, ""))).containsExactly("one");
        assertThat(resolve(String.format(notWithin, ",\"match\":\"all\""))).isEmpty();
        assertThat(resolve(String.format(notWithin, ",\"match\":\"none\""))).containsExactly("both");
    }

    @ParameterizedTest
    @CsvSource({"any, on", "all, on", "none, off"})
    void shouldQuantifyOverReferences(String match, String expected) throws Exception {
        put("a", "zone", "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))");
        put("b", "zone", "POLYGON ((1 1, 3 1, 3 3, 1 3, 1 1))");
        put("on", "kiosk", "POINT (1.5 1.5)");
        put("off", "kiosk", "POINT (5 5)");
        assertThat(resolve("{\"stages\":[{\"references\":[\"a\",\"b\"],\"categories\":[\"kiosk\"],\"match\":\"" + match
                        + "\"}]}"))
                .containsExactly(expected);
    }

    @Test
    void shouldLeaveReferencesOutAndLetThemComeBackLater() throws Exception {
        smallTown();
        assertThat(resolve("{\"stages\":[{\"references\":[\"zone\",\"square\"],\"categories\":[\"zone\"]}]}"))
                .isEmpty();
        assertThat(resolve("{\"stages\":[{\"references\":[\"zone\"],\"categories\":[\"road/major\"]},"
                        + "{\"from\":[0],\"categories\":[\"zone/old\"]}],\"select\":[1]}"))
                .containsExactly("zone");
    }

    @Test
    void shouldUniteSelectedStages() throws Exception {
        smallTown();
        String stages = "{\"stages\":[{\"references\":[\"zone\"],\"categories\":[\"road/major\"]},"
                + "{\"from\":[0],\"references\":[\"square\"],\"categories\":[\"zone\"]}]%s}";
        assertThat(resolve(String.format(stages, ""))).containsExactly("through", "zone");
        assertThat(resolve(String.format(stages, ",\"select\":[0]"))).containsExactly("through");
        assertThat(world.resolve(PARSER.parse(String.format(stages, ",\"select\":[0]")))
                        .stages())
                .containsExactly(List.of(EntityId.of("through")), List.of(EntityId.of("zone")));
    }

    @Test
    void shouldTakeEmptyStageForEmptyResult() throws Exception {
        smallTown();
        String stages = "{\"stages\":[{\"references\":[\"zone\"],\"categories\":[\"nothing\"]},"
                + "{\"from\":[0],\"categories\":[\"kiosk\"]%s}]}";
        assertThat(resolve(String.format(stages, ""))).isEmpty();
        assertThat(resolve(String.format(stages, ",\"where\":{\"relation\":\"disjoint\"}")))
                .isEmpty();
        assertThat(resolve(String.format(stages, ",\"match\":\"all\""))).containsExactly("border", "outside");
        assertThat(resolve(String.format(stages, ",\"match\":\"none\""))).containsExactly("border", "outside");
    }

    @Test
    void shouldTakeGeometryOfTheDescriptorAsReference() throws Exception {
        smallTown();
        assertThat(resolve(
                        "{\"stages\":[{\"references\":[{\"wkt\":\"POLYGON ((0 0, 0.01 0, 0.01 0.01, 0 0.01, 0 0))\"}],"
                                + "\"categories\":[\"zone\"],\"where\":{\"relation\":\"covers\"}}]}"))
                .containsExactly("zone");
        assertThat(resolve("{\"stages\":[{\"references\":[\"outside\",{\"wkt\":\"POINT (0.01 0.002)\"}],"
                        + "\"categories\":[\"kiosk\"],\"where\":{\"relation\":\"equals\"}}]}"))
                .containsExactly("border");
    }

    @Test
    void shouldRelateCollectionsOfMixedTypes() throws Exception {
        put("mixed", "m", "GEOMETRYCOLLECTION (POINT (0 0), LINESTRING (1 1, 2 2))");
        put("point", "k", "POINT (0 0)");
        put("line", "k", "LINESTRING (1.2 1.2, 1.5 1.5)");
        put("off", "k", "POINT (3 3)");
        assertThat(resolve(stage("mixed", List.of("k"), "{\"relation\":\"intersects\"}")))
                .containsExactly("line", "point");
        assertThat(resolve(stage("mixed", List.of("k"), "{\"relation\":\"disjoint\"}")))
                .containsExactly("off");
        assertThat(resolve(stage("line", List.of("m"), "{\"relation\":\"contains\"}")))
                .containsExactly("mixed");
    }

    @Test
    void shouldNameUnknownReference() throws Exception {
        smallTown();
        UnresolvableException refused = catchThrowableOfType(
                UnresolvableException.class,
                () -> resolve("{\"stages\":[{\"references\":[\"zone\"],\"categories\":[\"road\"]},"
                        + "{\"references\":[\"square\",\"lost \\\"x\\\"\"],\"categories\":[\"road\"]}]}"));
        assertThat(refused.reason()).isEqualTo(Reason.UNKNOWN_REFERENCE);
        assertThat(refused).hasMessage("$.stages[1].references: unknown entity 'lost \"x\"'");
    }

    @Test
    void shouldRefuseNeighborhoodBeyondTheLimit() throws Exception {
        ChangeSet.Builder many = ChangeSet.builder();
        for (int i = 0; i <= MOST_ENTITIES; i++) {
            many.upsert(entity("k" + i, "kiosk", "POINT (" + i / 100.0 + " 0)"));
        }
        world.apply(many.build());
        String all = "{\"stages\":[{\"references\":[{\"wkt\":\"LINESTRING (0 0, 1 0)\"}],\"categories\":[\"kiosk\"]}]}";
        UnresolvableException refused = catchThrowableOfType(UnresolvableException.class, () -> resolve(all));
        assertThat(refused.reason()).isEqualTo(Reason.TOO_MANY_ENTITIES);
        world.apply(ChangeSet.delete(Set.of(EntityId.of("k7"))));
        assertThat(resolve(all)).hasSize(MOST_ENTITIES);
    }

    @Test
    void shouldCountVersions() throws Exception {
        assertThat(world.version()).isZero();
        assertThat(world.apply(ChangeSet.upsert(List.of(entity("a", "k", "POINT (1 1)")))))
                .isEqualTo(1);
        assertThat(world.apply(ChangeSet.builder().build())).isEqualTo(1);
        assertThat(world.apply(ChangeSet.delete(Set.of(EntityId.of("nobody"))))).isEqualTo(2);
        assertThat(world.version()).isEqualTo(2);
        assertThat(world.resolve(PARSER.parse(near("a", "k", 5))).worldVersion())
                .isEqualTo(2);
    }

    @Test
    void shouldReplaceAndDeleteWholeEntities() throws Exception {
        put("here", "zone", "POINT (0 0)");
        put("mover", "k/old", "POINT (0 0)");
        assertThat(resolve(near("here", "k", 1))).containsExactly("mover");
        put("mover", "k/new", "POINT (5 5)");
        assertThat(resolve(near("here", "k", 1))).isEmpty();
        put("mover", "k/new", "POINT (0 0)");
        assertThat(resolve(near("here", "k/old", 1))).isEmpty();
        assertThat(resolve(near("here", "k/new", 1))).containsExactly("mover");
        world.apply(ChangeSet.builder()
                .delete(EntityId.of("mover"))
                .upsert(entity("other", "k", "POINT (0 0)"))
                .build());
        assertThat(resolve(near("here", "k", 1))).containsExactly("other");
    }

    @Test
    void shouldGiveBackWhatWasPutIn() throws Exception {
        PhysicalEntity complex = new PhysicalEntity(
                EntityId.of("Straße/π 🚲"),
                geometry(
                        "MULTIPOLYGON (((0.1 0.2, 0.3 0.2, 0.30000000000000004 0.7, 0.1 0.2)), ((9 9, 8 9, 8 8, 9 9)))"),
                new TreeSet<>(List.of(Category.of("a/b"), Category.of("ü, {x} \"y\""))));
        world.apply(ChangeSet.upsert(List.of(complex)));
        PhysicalEntity back = world.entity(complex.id()).orElseThrow();
        assertThat(back.id()).isEqualTo(complex.id());
        assertThat(back.categories()).isEqualTo(complex.categories());
        assertThat(back.geometry().equalsExact(complex.geometry())).isTrue();
        assertThat(world.entity(EntityId.of("nobody"))).isEmpty();

        List<EntityId> scanned = new ArrayList<>();
        assertThat(world.scan(e -> scanned.add(e.id()))).isEqualTo(1);
        assertThat(scanned).containsExactly(complex.id());
        assertThatThrownBy(() -> world.scan(e -> {
                    throw new ArithmeticException("enough");
                }))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void shouldSayWhichEntitiesItDoesNotHave() throws Exception {
        EntityId here = EntityId.of("here");
        EntityId deleted = EntityId.of("Straße/π 🚲, 'gone'");
        EntityId never = EntityId.of("never");
        assertThat(world.missing(Set.of(never))).isEqualTo(new MissingEntities(0, Set.of(never)));
        world.apply(ChangeSet.upsert(
                List.of(entity("here", "k", "POINT (0 0)"), entity(deleted.value(), "k", "POINT (0 0)"))));
        assertThat(world.missing(Set.of(here, deleted, never))).isEqualTo(new MissingEntities(1, Set.of(never)));
        world.apply(ChangeSet.delete(List.of(deleted)));

        assertThat(world.missing(Set.of(here, deleted, never)))
                .isEqualTo(new MissingEntities(2, Set.of(deleted, never)));
        assertThat(world.missing(Set.of(here))).isEqualTo(new MissingEntities(2, Set.of()));
        assertThat(world.missing(Set.of())).isEqualTo(new MissingEntities(2, Set.of()));
    }

    /** Each version moves all kiosks from one category to another: an answer of two versions would have some of both. */
    @Test
    void shouldAnswerFromOneVersionWhileItChanges() throws Exception {
        NeighborhoodDescriptor evenThenOdd =
                PARSER.parse("{\"stages\":[{\"references\":[{\"wkt\":\"POINT (0 0)\"}],\"categories\":[\"even\"]},"
                        + "{\"references\":[{\"wkt\":\"POINT (0 0)\"}],\"categories\":[\"odd\"]}]}");
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            move(0);
            List<Future<?>> readers = new ArrayList<>();
            CountDownLatch answered = new CountDownLatch(20);
            for (int i = 0; i < 2; i++) {
                readers.add(threads.submit(() -> {
                    while (!done.get()) {
                        Resolution resolution = world.resolve(evenThenOdd);
                        int expected = resolution.worldVersion() % 2 == 0 ? 0 : 1;
                        assertThat(resolution.stages().get(expected)).hasSize(20);
                        assertThat(resolution.stages().get(1 - expected)).isEmpty();
                        answered.countDown();
                    }
                    return null;
                }));
            }
            for (int version = 1;
                    version < 40 || (answered.getCount() > 0 && readers.stream().noneMatch(Future::isDone));
                    version++) {
                move(version);
            }
            done.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }

    private void move(int count) throws Exception {
        ChangeSet.Builder all = ChangeSet.builder();
        for (int i = 0; i < 20; i++) {
            all.upsert(entity("k" + i, count % 2 == 0 ? "odd" : "even", "POINT (0 0)"));
        }
        world.apply(all.build());
    }

    @Test
    void shouldNumberChangeSetsOfManyWriters() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> writers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                ChangeSet change = ChangeSet.upsert(List.of(entity("k" + i, "kiosk", "POINT (0 0)")));
                writers.add(threads.submit(() -> world.apply(change)));
            }
            Set<Long> versions = new TreeSet<>();
            for (Future<Long> writer : writers) {
                versions.add(writer.get());
            }
            assertThat(versions).hasSize(20).contains(1L, 20L);
            assertThat(world.version()).isEqualTo(20);
        } finally {
            threads.shutdownNow();
        }
    }

    private void put(String id, String category, String wkt) throws Exception {
        world.apply(ChangeSet.upsert(List.of(entity(id, category, wkt))));
    }

    private List<String> resolve(String json) throws Exception {
        return world.resolve(PARSER.parse(json)).selected().stream()
                .map(EntityId::value)
                .toList();
    }

    private static String stage(String reference, List<String> categories, String where) {
        return "{\"stages\":[{\"references\":[\"" + reference + "\"],\"categories\":[\""
                + String.join("\",\"", categories) + "\"],\"where\":" + where + "}]}";
    }

    private static String near(String reference, String category, double metres) {
        return stage(reference, List.of(category), "{\"relation\":\"dwithin\",\"distance\":" + metres + "}");
    }

    private static PhysicalEntity entity(String id, String category, String wkt) throws ParseException {
        return new PhysicalEntity(EntityId.of(id), geometry(wkt), new TreeSet<>(Set.of(Category.of(category))));
    }

    private static Geometry geometry(String wkt) throws ParseException {
        return new WKTReader().read(wkt);
    }

    private static String[] words(String text) {
        return Arrays.stream(text.split(" ", -1)).filter(w -> !w.isEmpty()).toArray(String[]::new);
    }
}
