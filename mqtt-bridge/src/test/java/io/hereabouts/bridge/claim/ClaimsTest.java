package io.hereabouts.bridge.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges that share a topic, each of which reads it late, and has what it says stored late. */
class ClaimsTest {

    private static final long FOREVER = 0xFFFF_FFFFL;

    private record Said(String client, @Nullable Claim claim) {}

    private final List<Said> topic = new ArrayList<>();
    private final Site east = new Site("east");
    private final Site west = new Site("west");

    /** An edge: what it has said and Kafka does not have yet, by client, and how far it has read. */
    private final class Site implements Claims.Output {
        final String name;
        final Claims claims;
        final Map<String, Said> unstored = new LinkedHashMap<>();
        final Map<String, Long> sessions = new LinkedHashMap<>();
        final List<String> gaveUp = new ArrayList<>();
        int read;

        Site(String name) {
            this.name = name;
            this.claims = new Claims(new Claim.Holder(name, "run"), this);
        }

        void connect(String client, long connection, @Nullable String user) {
            sessions.put(client, connection);
            claims.connected(client, connection, user);
        }

        void disconnect(String client, long expiry, long now) {
            Long connection = expiry == 0 ? sessions.remove(client) : sessions.get(client);
            if (connection != null) {
                claims.disconnected(client, connection, expiry, now);
            }
        }

        @Override
        public void claim(String client, Claim claim) {
            unstored.remove(client);
            unstored.put(client, new Said(client, claim));
        }

        @Override
        public void withdraw(String client) {
            unstored.remove(client);
            unstored.put(client, new Said(client, null));
        }

        @Override
        public void withhold(String client) {
            unstored.remove(client);
        }

        @Override
        public void giveUp(String client, Claim mine, Claim to) {
            assertThat(sessions.remove(client)).isEqualTo(mine.connection());
            gaveUp.add(client + " to " + to.holder().edge() + (to.defends() ? ", defended" : ""));
        }

        void store() {
            if (!unstored.isEmpty()) {
                String next = unstored.keySet().iterator().next();
                topic.add(unstored.remove(next));
            }
        }

        void read() {
            if (read < topic.size()) {
                Said said = topic.get(read++);
                claims.read(said.client(), said.claim());
            }
        }
    }

    private void settle(Site... sites) {
        while (List.of(sites).stream().anyMatch(site -> !site.unstored.isEmpty() || site.read < topic.size())) {
            for (Site site : sites) {
                site.store();
                site.read();
            }
        }
    }

    @Test
    void shouldClaimWhatItKeptOfClientsThatAreNowhereElse() {
        Claim ofEast = new Claim(new Claim.Holder("east", "earlier run"), 7, "alice", false);
        Claim ofWest = new Claim(new Claim.Holder("west", "run"), 1, null, false);
        east.sessions.put("kept", 0L);
        east.claims.restored(
                List.of("kept", "moved"),
                new EarlierClaims("east", Map.of("kept", ofEast, "moved", ofWest, "ended", ofEast)));
        assertThat(east.unstored.values())
                .containsExactlyInAnyOrder(
                        new Said("kept", new Claim(new Claim.Holder("east", "run"), 0, "alice", false)),
                        new Said("ended", null));
        assertThat(east.claims.away()).containsExactly("kept");
        east.claims.sessionEnded("kept");
        assertThat(east.unstored).containsEntry("kept", new Said("kept", null));
    }

    @Test
    void shouldNotLoseALiveConnectionToWhatAnEdgeKept() {
        west.connect("c", 1, null);
        settle(east, west);
        // it had read the earlier claims before that
        east.sessions.put("c", 0L);
        east.claims.restored(List.of("c"), new EarlierClaims("east", Map.of()));
        settle(east, west);
        assertThat(west.gaveUp).isEmpty();
        assertThat(east.gaveUp).containsExactly("c to west");
    }

    @Test
    void shouldGiveUpWhatAnotherEdgeClaimsLater() {
        east.connect("c", 1, null);
        settle(east, west);
        west.connect("c", 1, null);
        settle(east, west);
        assertThat(east.gaveUp).containsExactly("c to west");
        assertThat(west.sessions).containsOnlyKeys("c");
        east.connect("c", 2, null);
        settle(east, west);
        assertThat(west.gaveUp).containsExactly("c to east");
        assertThat(east.sessions).containsEntry("c", 2L);
    }

    @Test
    void shouldLetTheOrderOfTheTopicDecideAndNotThatOfTheConnections() {
        east.connect("c", 1, null);
        west.connect("c", 1, null);
        west.store();
        settle(east, west);
        assertThat(west.gaveUp).as("east's claim was stored later").containsExactly("c to east");
        assertThat(east.gaveUp).isEmpty();
    }

    @Test
    void shouldWithdrawTheClaimOfASessionThatEndsOnlyWhileItHasIt() {
        east.connect("c", 1, null);
        settle(east, west);
        west.connect("c", 1, null);
        settle(east, west);
        east.disconnect("c", 0, 0);
        east.claims.tick(Long.MAX_VALUE);
        settle(east, west);
        assertThat(topic.get(topic.size() - 1).claim()).isNotNull();

        west.disconnect("c", 10, 5_000);
        west.claims.tick(14_999);
        settle(east, west);
        assertThat(topic.get(topic.size() - 1).claim()).as("the session sleeps").isNotNull();
        west.claims.tick(15_000);
        settle(east, west);
        assertThat(topic.get(topic.size() - 1)).isEqualTo(new Said("c", null));
        assertThat(west.claims.size() + east.claims.size()).isZero();
    }

    @Test
    void shouldClaimAgainWhenAnotherWithdrawsTooLate() {
        east.connect("c", 1, null);
        settle(east, west);
        west.connect("c", 1, null);
        west.store();
        east.disconnect("c", 0, 0);
        settle(east, west);
        assertThat(topic.get(topic.size() - 1))
                .isEqualTo(new Said("c", topic.get(1).claim()));
        assertThat(west.gaveUp).isEmpty();
    }

    /** Kafka has the claim and the edge does not know: sent once more it would come behind the other's. */
    @Test
    void shouldNotSayAgainWhatAnotherHasReplaced() {
        east.connect("c", 1, null);
        topic.addAll(east.unstored.values());
        west.connect("c", 1, null);
        west.store();
        east.read();
        east.read();
        assertThat(east.gaveUp).containsExactly("c to west");
        assertThat(east.unstored).isEmpty();
    }

    @Test
    void shouldKeepAClientIdForTheUserWhoHasIt() {
        east.connect("c", 1, "alice");
        settle(east, west);
        west.connect("c", 1, "mallory");
        settle(east, west);
        assertThat(west.gaveUp).containsExactly("c to east, defended");
        assertThat(east.gaveUp).isEmpty();
        west.connect("c", 2, "alice");
        settle(east, west);
        assertThat(east.gaveUp).containsExactly("c to west");
    }

    @Test
    void shouldSayNothingMoreWhenItIsAbandoned() {
        east.connect("c", 1, null);
        settle(east, west);
        east.claims.abandon();
        west.connect("c", 1, null);
        settle(east, west);
        east.claims.end();
        assertThat(east.unstored).isEmpty();
        assertThat(east.gaveUp).isEmpty();
    }

    /** Three edges, any order of everything: in the end the session is where the topic says, and nowhere else. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWithOneEdgeForEachClient(boolean users) {
        int held = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            topic.clear();
            SplittableRandom random = new SplittableRandom(seed);
            Site[] sites = {new Site("a"), new Site("b"), new Site("c")};
            for (int step = 1; step <= 40; step++) {
                Site site = sites[random.nextInt(3)];
                String client = "c" + random.nextInt(2);
                switch (random.nextInt(6)) {
                    case 0 -> site.connect(client, step, users ? "user" + random.nextInt(2) : null);
                    case 1 -> site.disconnect(client, random.nextBoolean() ? 0 : FOREVER, step);
                    case 2, 3 -> site.store();
                    default -> site.read();
                }
            }
            settle(sites);
            Map<String, Said> last = new LinkedHashMap<>();
            topic.forEach(said -> last.put(said.client(), said));
            for (Site site : sites) {
                for (Map.Entry<String, Long> session : site.sessions.entrySet()) {
                    Said said = Objects.requireNonNull(last.get(session.getKey()));
                    Claim claim = Objects.requireNonNull(said.claim(), () -> "seed " + topic);
                    assertThat(claim.holder().edge() + claim.connection())
                            .as("seed " + seed)
                            .isEqualTo(site.name + session.getValue());
                    held++;
                }
                assertThat(site.claims.size()).isEqualTo(site.sessions.size());
            }
        }
        assertThat(held).isGreaterThan(1_000);
    }
}
