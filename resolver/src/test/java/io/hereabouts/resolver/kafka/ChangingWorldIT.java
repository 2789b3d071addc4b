package io.hereabouts.resolver.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.resolver.memory.InMemoryWorld;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Resolved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in {@code filters} follows the world, whatever edges want meanwhile. */
class ChangingWorldIT extends ResolverFixture {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final List<PhysicalEntity> CITY = TestCity.entities(7, 1_000);
    private static final List<PhysicalEntity> ZONES = CITY.subList(0, TestCity.ZONES);
    private static final NeighborhoodDescriptor ZONE_55 = TestCity.sensorsIn("zone/55");

    @Override
    InMemoryWorld newCity() {
        InMemoryWorld world = new InMemoryWorld(ResolutionLimits.DEFAULT);
        world.apply(ChangeSet.upsert(CITY));
        return world;
    }

    private Resolver launch() throws InterruptedException {
        return launch(Duration.ZERO);
    }

    /** Two resolvers share the work; one of them leaves on the way. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldEndWithWhatResolutionFromScratchGives(long seed) throws Exception {
        Resolver first = launch();
        launch();
        Random random = new Random(seed);
        Map<Integer, Long> zones = new HashMap<>();
        for (int step = 0; step < 150; step++) {
            if (step == 75) {
                first.close();
            }
            int zone = random.nextInt(TestCity.ZONES);
            if (random.nextInt(3) > 0) {
                world.apply(TestCity.change(random));
            } else if (zones.remove(zone) == null) {
                zones.put(zone, edge.join(TestCity.sensorsIn("zone/" + zone), "air/#"));
            } else {
                leave(zone);
            }
        }
        zones.forEach((zone, request) -> {
            if (edge.answer(request).getReasonCode() != 0) {
                leave(zone);
            }
        });

        await().atMost(LONG).untilAsserted(this::assertFilters);
    }

    private void leave(int zone) {
        edge.leave(TestCity.interest(TestCity.sensorsIn("zone/" + zone), "air/#", edge.id));
    }

    @Test
    void shouldResolveAgainOnlyWhatAChangeCanAffect() throws Exception {
        launch();
        List<Long> requests = new ArrayList<>();
        for (int zone = 0; zone < TestCity.ZONES; zone++) {
            requests.add(edge.join(TestCity.sensorsIn("zone/" + zone), "air/#"));
        }
        requests.forEach(edge::answer);
        world.resolutions.set(0);

        PhysicalEntity moved = TestCity.sensor("sensor/1", 13.015, 52.015);
        world.apply(ChangeSet.upsert(List.of(moved)));

        await().atMost(LONG).untilAsserted(this::assertFilters);
        System.out.printf(
                "one sensor moved: %.0f neighborhoods spared, %.0f resolved again%n",
                count("hereabouts.resolver.footprints", "outcome", "spared"),
                count("hereabouts.resolver.footprints", "outcome", "affected"));
        assertThat(count("hereabouts.resolver.footprints", "outcome", "affected"))
                .isBetween(1.0, 4.0);
        assertThat(count("hereabouts.resolver.footprints", "outcome", "spared")).isGreaterThanOrEqualTo(96);
        assertThat(world.resolutions.get()).isLessThanOrEqualTo(4);
    }

    @Test
    void shouldLoseADeletedReferenceAndFindItAgain() throws Exception {
        launch();
        edge.answer(edge.join(ZONE_55, "air/#"));
        EntityId zone = EntityId.of("zone/55");

        world.apply(ChangeSet.delete(List.of(zone)));

        await().atMost(LONG).untilAsserted(() -> assertThat(view().byPlace()).isEmpty());
        Resolved late = edge.answer(edge.send(TestCity.interest(ZONE_55, "late", edge.id), ZONE_55.canonicalText()));
        assertThat(late.getReasonCode()).isEqualTo(0x83);
        assertThat(late.getReasonString()).contains("unknown entity 'zone/55'");
        await().atMost(LONG).untilAsserted(() -> assertThat(edge.statuses.get(ZONE_55.id()))
                .isEqualTo(new NeighborhoodStatus(ZONE_55.id().value(), city.version(), 0, List.of("zone/55"), "")));

        world.apply(ChangeSet.upsert(List.of(ZONES.get(55))));

        await().atMost(LONG).untilAsserted(() -> {
            assertThat(view().byPlace()).isNotEmpty();
            assertFilters();
        });
        await().atMost(LONG).untilAsserted(() -> assertThat(edge.statuses.get(ZONE_55.id()))
                .satisfies(status -> assertThat(status.getMissing()).isEmpty())
                .satisfies(status -> assertThat(status.getEntityCount()).isPositive()));
    }

    @Test
    void shouldKnowAfterATakeOverWhichReferencesAreGone() throws Exception {
        NeighborhoodDescriptor twoZones = TestCity.descriptor(
                "{\"stages\":[{\"references\":[\"zone/44\",\"zone/55\"],\"categories\":[\"sensor\"]}]}");
        Resolver first = launch();
        edge.answer(edge.join(twoZones, "air/#"));
        world.apply(ChangeSet.delete(List.of(EntityId.of("zone/55"))));
        await().atMost(LONG).until(() -> edge.statuses.containsKey(twoZones.id()));
        first.close();
        edge.statuses.clear();
        world.resolutions.set(0);

        launch();

        Resolved late = edge.answer(edge.send(TestCity.interest(twoZones, "late", edge.id), twoZones.canonicalText()));
        assertThat(late.getReasonCode()).isEqualTo(0x83);
        assertThat(late.getReasonString()).contains("unknown entity 'zone/55'");
        await().atMost(LONG).untilAsserted(() -> assertThat(edge.statuses.get(twoZones.id()))
                .satisfies(status -> assertThat(status.getMissing()).hasToString("[zone/55]")));
        assertThat(world.resolutions).hasValue(0);
    }

    @Test
    void shouldCatchUpWithWhatChangedWhileNoResolverRan() throws Exception {
        Resolver first = launch();
        edge.answer(edge.join(ZONE_55, "air/#"));
        edge.answer(edge.join(TestCity.sensorsIn("zone/empty"), "air/#"));
        first.close();

        world.apply(ChangeSet.upsert(
                List.of(TestCity.sensor("sensor/new", 13.055, 52.055), TestCity.sensor("sensor/far", 14.005, 53.005))));
        launch();

        await().atMost(LONG).untilAsserted(() -> {
            assertFilters();
            assertThat(view().byPlace().toString()).contains("sensor/new").contains("sensor/far");
        });
    }

    @Test
    void shouldTryAgainWhenTheWorldWasAway() throws Exception {
        launch();
        edge.answer(edge.join(ZONE_55, "air/#"));
        world.resolutions.set(0);
        world.down = true;

        world.apply(ChangeSet.upsert(List.of(TestCity.sensor("sensor/new", 13.055, 52.055))));

        await().atMost(LONG).untilAsserted(() -> assertThat(world.resolutions).hasPositiveValue());
        assertThat(view().byPlace()).isNotEmpty();
        world.down = false;
        await().atMost(LONG).untilAsserted(() -> {
            assertFilters();
            assertThat(view().byPlace().toString()).contains("sensor/new");
        });
    }
}
