package io.hereabouts.bridge.will;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.avro.Publication;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What MQTT 5 says of wills (§3.1.2.5, §3.1.3.2.2, §3.1.4), case by case. */
class WillsTest {

    private static final long FOREVER = 0xFFFF_FFFFL;
    private static final boolean NEW = true;
    private static final boolean RESUMED = false;
    private static final boolean PROPERLY = true;
    private static final boolean LOST = false;

    private final List<String> log = new ArrayList<>();
    private final Wills wills = new Wills(
            new Wills.Output() {
                @Override
                public void keep(SpatialWill will, Runnable kept) {
                    log.add("keep " + will.connection());
                    kept.run();
                }

                @Override
                public void publish(SpatialWill will) {
                    log.add("publish " + will.connection());
                }

                @Override
                public void forget(SpatialWill will, Wills.End why) {
                    log.add(why + " " + will.connection());
                }
            },
            1_000);

    private static SpatialWill will(String client, long connection, long delaySeconds) {
        Publication publication = new Publication(
                "t", "id", client, "e", 1, false, 0L, null, null, null, null, null, List.of(), ByteBuffer.allocate(0));
        return new SpatialWill(client, connection, EntityId.of("x"), publication, delaySeconds, 100);
    }

    private void connect(long connection, long delaySeconds, boolean newSession) {
        assertThat(wills.announce(will("c", connection, delaySeconds), () -> {}))
                .isTrue();
        wills.connected("c", connection, newSession);
        log.remove("keep " + connection);
    }

    @Test
    void shouldPublishWhenTheConnectionIsLostAndNotBefore() {
        connect(1, 0, NEW);
        wills.tick(Long.MAX_VALUE);
        assertThat(log).isEmpty();
        wills.disconnected("c", 1, LOST, 0, 5);
        assertThat(log).containsExactly("publish 1");
        wills.disconnected("c", 1, LOST, 0, 6);
        wills.sessionEnded("c");
        wills.end();
        assertThat(log).containsExactly("publish 1");
    }

    @Test
    void shouldForgetItWhenTheClientSaysThatItGoes() {
        connect(1, 30, NEW);
        wills.disconnected("c", 1, PROPERLY, FOREVER, 5);
        wills.end();
        assertThat(log).containsExactly("DISCONNECTED 1");
    }

    @Test
    void shouldForgetTheWillOfAConnectionThatWasNotAccepted() {
        assertThat(wills.announce(will("c", 1, 0), () -> {})).isTrue();
        wills.disconnected("c", 1, LOST, 0, 5);
        assertThat(log).containsExactly("keep 1", "REFUSED 1");
    }

    @Test
    void shouldNotTouchTheWillOfTheOneWhoIsConnectedWhenAnotherIsRefused() {
        connect(1, 0, NEW);
        assertThat(wills.announce(will("c", 2, 0), () -> {})).isTrue();
        wills.disconnected("c", 2, LOST, 0, 5);
        assertThat(log).containsExactly("keep 2", "REFUSED 2");
        wills.disconnected("c", 1, LOST, 0, 6);
        assertThat(log).endsWith("publish 1");
    }

    @Test
    void shouldWaitForTheDelay() {
        connect(1, 30, NEW);
        wills.disconnected("c", 1, LOST, FOREVER, 1_000);
        wills.tick(30_999);
        assertThat(log).isEmpty();
        assertThat(wills.waiting()).containsExactly("c");
        wills.tick(31_000);
        assertThat(log).containsExactly("publish 1");
        assertThat(wills.waiting()).isEmpty();
    }

    @Test
    void shouldNotWaitLongerThanTheSession() {
        connect(1, 30, NEW);
        wills.disconnected("c", 1, LOST, 10, 1_000);
        wills.tick(10_999);
        assertThat(log).isEmpty();
        wills.tick(11_000);
        assertThat(log).containsExactly("publish 1");

        connect(2, 30, NEW);
        wills.disconnected("c", 2, LOST, 0, 20_000);
        assertThat(log).containsExactly("publish 1", "publish 2");

        connect(3, 30, NEW);
        wills.disconnected("c", 3, LOST, FOREVER, 30_000);
        wills.sessionEnded("c");
        assertThat(log).containsExactly("publish 1", "publish 2", "publish 3");
    }

    @Test
    void shouldTakeItBackWhenTheClientReturnsToItsSession() {
        connect(1, 30, NEW);
        wills.disconnected("c", 1, LOST, FOREVER, 1_000);
        wills.connected("c", 2, RESUMED);
        assertThat(log).containsExactly("RETURNED 1");
        wills.tick(Long.MAX_VALUE);
        assertThat(log).containsExactly("RETURNED 1");
    }

    @Test
    void shouldPublishItWhenTheClientBeginsANewSession() {
        connect(1, 30, NEW);
        wills.disconnected("c", 1, LOST, FOREVER, 1_000);
        connect(2, 0, NEW);
        assertThat(log).containsExactly("publish 1");
        wills.disconnected("c", 2, LOST, FOREVER, 2_000);
        assertThat(log).containsExactly("publish 1", "publish 2");
    }

    /** [MQTT-3.1.4-3] and the note there; HiveMQ may tell of the old connection's end before or after. */
    @Test
    void shouldPublishTheWillOfAConnectionThatIsTakenOver() {
        for (boolean endComesFirst : new boolean[] {true, false}) {
            assertThat(takeover(0, RESUMED, endComesFirst)).containsExactly("publish 1");
            assertThat(takeover(0, NEW, endComesFirst)).containsExactly("publish 1");
            assertThat(takeover(30, NEW, endComesFirst)).containsExactly("publish 1");
            assertThat(takeover(30, RESUMED, endComesFirst)).containsExactly("RETURNED 1");
        }
    }

    private List<String> takeover(long delaySeconds, boolean newSession, boolean endComesFirst) {
        log.clear();
        connect(1, delaySeconds, NEW);
        assertThat(wills.announce(will("c", 2, 0), () -> {})).isTrue();
        if (endComesFirst) {
            wills.disconnected("c", 1, LOST, FOREVER, 1_000);
        }
        wills.connected("c", 2, newSession);
        if (!endComesFirst) {
            wills.disconnected("c", 1, LOST, FOREVER, 1_000);
        }
        List<String> before = List.copyOf(log);
        wills.disconnected("c", 2, PROPERLY, 0, 2_000);
        wills.tick(Long.MAX_VALUE);
        assertThat(log).endsWith("DISCONNECTED 2");
        assertThat(log).hasSize(before.size() + 1);
        return before.stream().filter(entry -> !entry.equals("keep 2")).toList();
    }

    @Test
    void shouldPublishAllWhenTheEdgeStops() {
        connect(1, 0, NEW);
        assertThat(wills.announce(will("sleeps", 2, 30), () -> {})).isTrue();
        wills.connected("sleeps", 2, NEW);
        wills.disconnected("sleeps", 2, LOST, FOREVER, 1_000);
        assertThat(wills.announce(will("comes", 3, 0), () -> {})).isTrue();
        wills.end();
        assertThat(log).containsExactlyInAnyOrder("keep 2", "keep 3", "publish 1", "publish 2", "REFUSED 3");
    }

    @Test
    void shouldLeaveThemToWhoeverHasTheLease() {
        connect(1, 0, NEW);
        wills.abandon();
        wills.disconnected("c", 1, LOST, 0, 5);
        wills.end();
        assertThat(log).isEmpty();
    }

    @Test
    void shouldHaveRoomForSoMuchAndGiveItBack() {
        for (int i = 0; i < 10; i++) {
            assertThat(wills.announce(will("c" + i, i, 0), () -> {})).isTrue();
        }
        assertThat(wills.announce(will("more", 10, 0), () -> {})).isFalse();
        wills.disconnected("c0", 0, LOST, 0, 5);
        assertThat(wills.announce(will("more", 11, 0), () -> {})).isTrue();
        wills.connected("more", 11, NEW);
        wills.disconnected("more", 11, LOST, 0, 6);
        assertThat(wills.announce(will("c0", 12, 0), () -> {})).isTrue();
    }

    /** Whatever happens in whatever order: each will is published or forgotten, once. */
    @Test
    void shouldEndEachWillOnce() {
        SplittableRandom random = new SplittableRandom(7);
        Map<String, Long> open = new HashMap<>();
        long connection = 0;
        for (long now = 0; now < 2_000_000; now += random.nextInt(3_000)) {
            String client = "c" + random.nextInt(3);
            Long current = open.get(client);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    connection++;
                    assertThat(wills.announce(will(client, connection, random.nextInt(4)), () -> {}))
                            .isTrue();
                    if (current != null && random.nextBoolean()) {
                        wills.disconnected(client, current, LOST, 10, now);
                    }
                    wills.connected(client, connection, random.nextBoolean());
                    open.put(client, connection);
                }
                case 2, 3 -> {
                    if (current != null) {
                        wills.disconnected(client, current, random.nextBoolean(), random.nextInt(4), now);
                        open.remove(client);
                    }
                }
                default -> wills.sessionEnded(client);
            }
            wills.tick(now);
        }
        wills.end();
        for (long c = 1; c <= connection; c++) {
            long wanted = c;
            assertThat(log.stream().filter(e -> e.endsWith(" " + wanted) && !e.startsWith("keep")))
                    .as("connection " + c)
                    .hasSize(1);
        }
        assertThat(connection).isGreaterThan(100);
    }
}
