package io.hereabouts.bridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExpansionTest {

    private static final NeighborhoodId A = NeighborhoodId.of("a".repeat(32));
    private static final NeighborhoodId B = NeighborhoodId.of("b".repeat(32));

    private final SubscriptionTable table = new SubscriptionTable();

    private static Subscription subscription(
            String client, String filter, String id, NeighborhoodId n, int qos, boolean noLocal, @Nullable Integer si) {
        return new Subscription(
                client, TopicFilter.parse(filter), id, n, "", new Subscription.Options(qos, noLocal, false, 0, si));
    }

    private void member(String client, String share, String id, NeighborhoodId n, int qos, @Nullable Integer si) {
        table.put(new Subscription(
                client,
                TopicFilter.parse("a/#"),
                new ShareName(share),
                id,
                n,
                "",
                new Subscription.Options(qos, false, false, 0, si)));
    }

    private static long group(String share, NeighborhoodId n) {
        return new Group(n, SubscribedFilter.parse("$share/" + share + "/a/#")).handle();
    }

    private List<Copy> share(String entity, Predicate<String> connected, Long... handles) {
        return Expansion.expand(table, new Expansion.Matched(List.of(handles), entity, "a/b", 2, "m1"), connected);
    }

    @Test
    void shouldGiveWhatIsSharedToOneMemberThatIsConnected() {
        for (int i = 1; i <= 4; i++) {
            member("m" + i, "g", "n" + i, A, i == 4 ? 0 : 1, i);
        }
        Map<String, Integer> counts = new HashMap<>();
        Predicate<String> awake = client -> !client.equals("m2");
        for (int i = 0; i < 400; i++) {
            List<Copy> copies = share("entity-" + i, awake, group("g", A));
            assertThat(copies).hasSize(1);
            Copy copy = copies.get(0);
            assertThat(share("entity-" + i, awake, group("g", A))).isEqualTo(copies);
            int number = copy.client().charAt(1) - '0';
            assertThat(copy.qos()).isEqualTo(number == 4 ? 0 : 1);
            assertThat(copy.neighborhoodIds()).containsExactly("n" + number);
            assertThat(copy.subscriptionIdentifiers()).containsExactly(number);
            counts.merge(copy.client(), 1, Integer::sum);
        }
        assertThat(counts).containsOnlyKeys("m1", "m3", "m4");
        assertThat(counts.values()).allMatch(count -> count > 80);
        assertThat(share("e", client -> false, group("g", A)))
                .as("all are away: it waits for one")
                .hasSize(1);
    }

    @Test
    void shouldDeliverASharedCopyBesideWhatTheClientGetsAnyway() {
        member("c", "g", "shared", A, 1, 7);
        member("c", "h", "other", A, 1, 8);
        table.put(subscription("c", "a/+", "own", A, 0, false, 9));
        List<Copy> copies = share("e", client -> true, group("g", A), A.handle(), group("h", A));
        assertThat(copies)
                .extracting(Copy::neighborhoodIds)
                .containsExactlyInAnyOrder(List.of("own"), List.of("shared"), List.of("other"));
        assertThat(copies).extracting(Copy::client).containsOnly("c");
        assertThat(share("e", client -> true, A.handle()))
                .as("the group's is an other edge's business")
                .hasSize(1);
    }

    @Test
    void shouldTakeAnotherNeighborhoodForAnotherGroup() {
        member("c", "g", "a", A, 1, null);
        member("d", "g", "b", B, 1, null);
        assertThat(share("e", client -> true, group("g", A), group("g", B)))
                .extracting(Copy::client)
                .containsExactly("c", "d");
        List<String> inA = new ArrayList<>();
        table.forEachOf(A, subscription -> inA.add(subscription.client()));
        assertThat(inA).containsExactly("c");
    }

    private List<Copy> expand(String topic, int qos, String publisher, NeighborhoodId... matched) {
        List<Long> handles =
                List.of(matched).stream().map(NeighborhoodId::handle).toList();
        return Expansion.expand(table, new Expansion.Matched(handles, "e", topic, qos, publisher), client -> true);
    }

    @Test
    void shouldDeliverOneCopyWithAllThatMatches() {
        table.put(subscription("c", "a/#", "one", A, 0, false, 7));
        table.put(subscription("c", "a/+", "two", B, 1, false, 8));
        table.put(subscription("c", "a/b", "", NeighborhoodId.EVERYWHERE, 0, false, 9));
        table.put(subscription("c", "x", "three", B, 1, false, 10));
        List<Copy> copies = expand("a/b", 1, "p", A, B, NeighborhoodId.EVERYWHERE);
        assertThat(copies).hasSize(1);
        Copy copy = copies.get(0);
        assertThat(copy.qos()).isEqualTo(1);
        assertThat(copy.neighborhoodIds()).containsExactly("one", "two");
        assertThat(copy.subscriptionIdentifiers()).containsExactly(7, 8, 9);
        assertThat(copy.via().id()).isEqualTo("two");
    }

    @Test
    void shouldNeverDeliverAboveThePublishedQos() {
        table.put(subscription("c", "a", "", NeighborhoodId.EVERYWHERE, 2, false, null));
        assertThat(expand("a", 1, "p", NeighborhoodId.EVERYWHERE).get(0).qos()).isEqualTo(1);
        assertThat(expand("a", 0, "p", NeighborhoodId.EVERYWHERE).get(0).qos()).isZero();
    }

    @Test
    void shouldHonourNoLocalForEachSubscription() {
        table.put(subscription("c", "a", "mine", A, 1, true, 1));
        table.put(subscription("c", "a", "other", B, 1, false, 2));
        assertThat(expand("a", 1, "c", A)).isEmpty();
        assertThat(expand("a", 1, "c", A, B).get(0).neighborhoodIds()).containsExactly("other");
        assertThat(expand("a", 1, "d", A)).hasSize(1);
        assertThat(expand("a", 1, "", A)).hasSize(1);
    }

    @Test
    void shouldAgreeWithALinearScan() {
        for (long seed : new long[] {1, 2, System.nanoTime()}) {
            Random random = new Random(seed);
            SubscriptionTable random1 = new SubscriptionTable();
            Map<Subscription.Key, Subscription> oracle = new HashMap<>();
            List<NeighborhoodId> all = List.of(A, B, NeighborhoodId.EVERYWHERE);
            List<String> filters = List.of("a/#", "a/+", "a/b", "+/b", "#", "a");
            for (int step = 0; step < 1_000; step++) {
                NeighborhoodId n = all.get(random.nextInt(3));
                Subscription s = subscription(
                        "c" + random.nextInt(5),
                        filters.get(random.nextInt(filters.size())),
                        n.isEverywhere() ? "" : "i" + random.nextInt(3),
                        n,
                        random.nextInt(2),
                        random.nextBoolean(),
                        null);
                if (random.nextInt(3) == 0) {
                    assertThat(random1.remove(s.key())).isEqualTo(oracle.remove(s.key()));
                } else {
                    assertThat(random1.put(s)).isEqualTo(oracle.put(s.key(), s));
                }
                assertThat(random1.size()).isEqualTo(oracle.size());
                String topic = List.of("a/b", "a", "a/b/c", "x/b").get(random.nextInt(4));
                List<NeighborhoodId> matched = new ArrayList<>(all);
                matched.remove(random.nextInt(3));
                TreeSet<String> expected = new TreeSet<>();
                for (Subscription o : oracle.values()) {
                    boolean own = o.client().equals("c1") && o.options().noLocal();
                    if (matched.contains(o.neighborhood()) && o.topicFilter().matches(topic) && !own) {
                        expected.add(o.client());
                    }
                }
                List<String> found = Expansion.expand(
                                random1,
                                new Expansion.Matched(
                                        matched.stream()
                                                .map(NeighborhoodId::handle)
                                                .toList(),
                                        "e",
                                        topic,
                                        1,
                                        "c1"),
                                client -> true)
                        .stream()
                        .map(Copy::client)
                        .toList();
                assertThat(found).as("seed " + seed).containsExactlyInAnyOrderElementsOf(expected);
            }
        }
    }

    @Test
    void shouldKnowRepeatsByTheirSource() {
        SeenDeliveries seen = new SeenDeliveries();
        assertThat(seen.isNew(1, 0, 5)).isTrue();
        assertThat(seen.isNew(1, 0, 5)).isFalse();
        assertThat(seen.isNew(1, 0, 4)).isFalse();
        assertThat(seen.isNew(1, 1, 4)).isTrue();
        assertThat(seen.isNew(2, 0, 4)).isTrue();
        assertThat(seen.isNew(1, 0, 6)).isTrue();
    }
}
