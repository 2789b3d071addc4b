package io.hereabouts.resolver.postgis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import io.hereabouts.resolver.world.ChangeSet;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldModelContract;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.testkit.postgis.TestPostgis;
import io.hereabouts.testkit.process.CutableProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.GeometryFactory;

final class PostgisWorldIT extends WorldModelContract {

    private static final String KIOSKS = "{\"stages\":[{\"references\":[{\"wkt\":\"POINT (0 0)\"}],"
            + "\"categories\":[\"kiosk\"],\"where\":{\"relation\":\"disjoint\"},\"match\":\"none\"}]}";

    @Override
    protected WorldModel newWorld(ResolutionLimits limits) throws Exception {
        return PostgisWorlds.reset(limits);
    }

    @Test
    void shouldKeepTheWorldWhenOpenedAgain() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            world.apply(kiosks(3));
        }
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            assertThat(world.version()).isEqualTo(1);
            assertThat(world.resolve(descriptor(KIOSKS)).selected()).hasSize(3);
        }
    }

    @Test
    void shouldGoOnWhenTheServerEndedItsConnections() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld world = PostgisWorlds.open(database, ResolutionLimits.DEFAULT)) {
            world.apply(kiosks(3));
            for (int i = 0; i < 5; i++) {
                assertThat(world.resolve(descriptor(KIOSKS)).selected()).hasSize(3);
                database.terminateConnections();
                assertThat(world.apply(kiosks(3))).isEqualTo(2L + i);
                database.terminateConnections();
            }
        }
    }

    @Test
    void shouldTellOutageFromBadDescriptorAndRecover() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (CutableProxy proxy = CutableProxy.to(database.host(), database.port())) {
            PostgisConnection connection = new PostgisConnection(
                    "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/" + database.name(),
                    database.user(),
                    database.password(),
                    2,
                    Duration.ofMillis(500));
            try (PostgisWorld world = PostgisWorld.open(connection, ResolutionLimits.DEFAULT)) {
                world.apply(kiosks(3));
                proxy.cut();
                assertThatThrownBy(() -> world.resolve(descriptor(KIOSKS)))
                        .isInstanceOf(WorldUnavailableException.class)
                        .hasMessageContaining("127.0.0.1:" + proxy.port());
                assertThatThrownBy(() -> world.apply(kiosks(4))).isInstanceOf(WorldUnavailableException.class);
                assertThatThrownBy(world::version).isInstanceOf(WorldUnavailableException.class);
                proxy.mend();
                // the pool tries again at growing intervals
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsInstanceOf(WorldUnavailableException.class)
                        .untilAsserted(() -> assertThat(
                                        world.resolve(descriptor(KIOSKS)).selected())
                                .hasSize(3));
                assertThat(world.entity(EntityId.of("k3"))).as("refused change").isEmpty();
            }
            proxy.cut();
            assertThatThrownBy(() -> PostgisWorld.open(connection, ResolutionLimits.DEFAULT))
                    .isInstanceOf(WorldUnavailableException.class);
        }
    }

    @Test
    void shouldRefuseWhatTakesTooLong() throws Exception {
        TestPostgis.Database database = TestPostgis.shared().newDatabase();
        try (PostgisWorld patient = PostgisWorlds.open(database, ResolutionLimits.DEFAULT);
                PostgisWorld hasty = PostgisWorlds.open(database, new ResolutionLimits(10_000, Duration.ofMillis(5)))) {
            patient.apply(kiosks(3000));
            // thousands of candidates in two stages: no machine does that in 5 ms
            NeighborhoodDescriptor expensive = descriptor("{\"stages\":[{\"references\":[{\"wkt\":\"POINT (0 0)\"}],"
                    + "\"categories\":[\"kiosk\"],\"where\":{\"relation\":\"dwithin\",\"distance\":100000000}},"
                    + "{\"from\":[0],\"references\":[{\"wkt\":\"POINT (9 9)\"}],\"categories\":[\"kiosk\"],"
                    + "\"where\":{\"relation\":\"relate\",\"pattern\":\"FF0FFF0F2\"},\"match\":\"all\"}]}");
            UnresolvableException refused =
                    catchThrowableOfType(UnresolvableException.class, () -> hasty.resolve(expensive));
            assertThat(refused.reason()).isEqualTo(UnresolvableException.Reason.TOO_SLOW);
            assertThat(hasty.version()).as("the connection is usable").isEqualTo(1);
        }
    }

    @Test
    void shouldHandScanRowsOfManyFetches() throws Exception {
        try (PostgisWorld world = PostgisWorlds.open()) {
            world.apply(kiosks(2500));
            List<EntityId> ids = new ArrayList<>();
            world.scan(e -> ids.add(e.id()));
            assertThat(ids).hasSize(2500).doesNotHaveDuplicates();
        }
    }

    private static NeighborhoodDescriptor descriptor(String json) throws Exception {
        return new DescriptorParser(DescriptorLimits.DEFAULT).parse(json);
    }

    private static ChangeSet kiosks(int count) {
        GeometryFactory factory = new GeometryFactory();
        ChangeSet.Builder changes = ChangeSet.builder();
        for (int i = 0; i < count; i++) {
            changes.upsert(new PhysicalEntity(
                    EntityId.of("k" + i),
                    factory.createPoint(new Coordinate(0, 0)),
                    new TreeSet<>(List.of(Category.of("kiosk")))));
        }
        return changes.build();
    }
}
