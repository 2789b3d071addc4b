package io.hereabouts.bridge.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SubscriptionsTest {

    private static final EdgeId EDGE = EdgeId.of("e");
    private static final long RETRY = 2_000;
    private static final long TIMEOUT = 15_000;

    private final List<String> log = new ArrayList<>();
    private final List<Runnable> rowsUnderway = new ArrayList<>();
    private final AppliedPositions applied = new AppliedPositions();
    private final Subscriptions subscriptions = new Subscriptions(EDGE, new Effects(), applied, List.of(1), RETRY, 0);

    private final class Effects implements Subscriptions.Effects {
        @Override
        public void requestInterest(Interest interest, String descriptor, long requestId) {
            log.add("request " + requestId + " " + name(interest.neighborhood()) + " " + interest.topicFilter());
        }

        @Override
        public void withdrawInterest(Interest interest) {
            log.add("withdraw " + name(interest.neighborhood()) + " " + interest.topicFilter());
        }

        @Override
        public void storeRow(Subscription subscription, Runnable stored) {
            log.add("row " + subscription.client() + " " + subscription.id() + " " + name(subscription.neighborhood()));
            rowsUnderway.add(stored);
        }

        @Override
        public void dropRow(Subscription.Key key) {
            log.add("no row " + key.client() + " " + key.id());
        }
    }

    private static String name(NeighborhoodId id) {
        return id.isEverywhere() ? "*" : id.value().substring(0, 1);
    }

    private static Subscription wanted(String client, String filter, String id, String neighborhood) {
        return new Subscription(
                client,
                TopicFilter.parse(filter),
                id,
                NeighborhoodId.of(neighborhood.repeat(32)),
                "{}",
                new Subscription.Options(1, false, false, 0, null));
    }

    private static Subscription plain(String client, String filter) {
        return Subscription.plain(
                client, TopicFilter.parse(filter), new Subscription.Options(1, false, false, 0, null));
    }

    private Subscribing begin(Subscription wanted, long now) {
        return subscriptions.begin(wanted, now, TIMEOUT, new Subscribing.Outcome() {
            @Override
            public void ready() {
                log.add("ready " + wanted.client());
            }

            @Override
            public void refused(int reasonCode, String reason) {
                log.add("refused " + wanted.client() + " " + Integer.toHexString(reasonCode) + " " + reason);
            }
        });
    }

    private void rowsStored() {
        List<Runnable> underway = List.copyOf(rowsUnderway);
        rowsUnderway.clear();
        underway.forEach(Runnable::run);
    }

    private Subscribing activate(Subscription wanted, long requestId) {
        Subscribing subscribing = begin(wanted, 0);
        subscriptions.resolved(requestId, 1, 0, "", Map.of());
        rowsStored();
        subscriptions.commit(subscribing);
        log.clear();
        return subscribing;
    }

    @Test
    void shouldBecomeReadyOnlyWhenEveryPartitionHasAppliedAndTheRowIsStored() {
        Subscribing subscribing = begin(wanted("c", "a/#", "id", "a"), 0);
        subscriptions.resolved(1, 1, 0, "", Map.of(0, 10L, 2, 20L));
        applied.applied(1, 0, 1, 10);
        subscriptions.appliedMoved();
        applied.applied(1, 2, 1, 19);
        subscriptions.appliedMoved();
        assertThat(log).containsExactly("request 1 a a/#");
        applied.applied(1, 2, 1, 20);
        subscriptions.appliedMoved();
        assertThat(log).containsExactly("request 1 a a/#", "row c id a");
        assertThat(subscriptions.table().size()).isZero();
        rowsStored();
        assertThat(log).endsWith("ready c");
        subscriptions.commit(subscribing);
        assertThat(subscriptions.table().size()).isEqualTo(1);
    }

    private static Subscription shared(String client, String share, String id) {
        Subscription own = wanted(client, "a/#", id, "a");
        return new Subscription(
                client,
                own.topicFilter(),
                new ShareName(share),
                id,
                own.neighborhood(),
                own.descriptor(),
                own.options());
    }

    @Test
    void shouldKeepWhatIsSharedApartFromWhatIsNot() {
        activate(shared("c", "g", "id"), 1);
        activate(wanted("c", "a/#", "id", "a"), 2);
        activate(shared("c", "h", "id"), 3);
        assertThat(subscriptions.table().size()).isEqualTo(3);
        assertThat(subscriptions.table().all().stream()
                        .map(Subscription::brokerFilter)
                        .distinct())
                .hasSize(3)
                .allMatch(filter -> HiddenTopics.restore(filter).equals("a/#"));
        assertThat(HiddenTopics.hideSubscribed("c", "id", "$share/g/a/#"))
                .isEqualTo(shared("c", "g", "id").brokerFilter());
        assertThat(HiddenTopics.hideSubscribed("d", "id", "$share/g/a/#"))
                .as("nobody has to be looked for among others")
                .isNotEqualTo(shared("c", "g", "id").brokerFilter());
        assertThat(subscriptions.interestCount()).isEqualTo(3);
        activate(shared("d", "g", "other"), 0);
        assertThat(subscriptions.interestCount()).as("of one group").isEqualTo(3);
        subscriptions.remove(List.of(shared("c", "g", "id").key()));
        assertThat(log).as("d is still there").containsExactly("no row c id");
        assertThat(subscriptions.leaveGroups()).hasSize(2);
        assertThat(subscriptions.interestCount()).isEqualTo(1);
    }

    @Test
    void shouldKnowTheGroupsThatItHadMembersOf() {
        Subscription member = shared("c", "g", "id");
        assertThat(subscriptions.groups().get(member.handle())).isNull();
        Subscribing subscribing = begin(member, 0);
        assertThat(subscriptions.groups().get(member.handle()))
                .as("routers may choose this edge before the SUBACK")
                .isEqualTo(member.group());
        subscriptions.abort(subscribing, "enough");
        assertThat(subscriptions.groups().get(member.handle())).isEqualTo(member.group());
        assertThat(subscriptions.groups().get(member.neighborhood().handle())).isNull();
    }

    @Test
    void shouldNotTakeDeliveriesOfOneForThoseOfAnother() {
        SubscriptionTable table = new SubscriptionTable(subscription -> 1);
        table.put(wanted("c", "a/#", "id", "a"));
        assertThat(table.isAmbiguous(wanted("d", "b", "x", "a"))).isFalse();
        assertThat(table.isAmbiguous(wanted("d", "b", "x", "b"))).isTrue();
        assertThat(table.isAmbiguous(shared("d", "g", "x"))).isTrue();
        table.remove(wanted("c", "a/#", "id", "a").key());
        table.put(shared("c", "g", "x"));
        assertThat(table.isAmbiguous(shared("d", "g", "y"))).isFalse();
        assertThat(table.isAmbiguous(shared("d", "h", "x"))).isTrue();
        assertThat(table.isAmbiguous(wanted("d", "a/#", "x", "a"))).isTrue();
    }

    @Test
    void shouldNeedEveryGenerationThatThereIs() {
        subscriptions.generations(List.of(1, 2), 0);
        begin(wanted("c", "a", "id", "a"), 0);
        subscriptions.resolved(1, 1, 0, "", Map.of(0, 10L));
        applied.applied(1, 0, 1, 10);
        subscriptions.resolved(1, 2, 0, "", Map.of(0, 7L));
        subscriptions.appliedMoved();
        assertThat(log).as("generation 2 has not applied it").containsExactly("request 1 a a");

        subscriptions.tick(TIMEOUT);
        assertThat(log).last().asString().endsWith("the router of generation 2 has not applied partitions [0]");

        log.clear();
        begin(wanted("d", "a", "id", "a"), TIMEOUT);
        applied.applied(2, 0, 1, 8);
        subscriptions.resolved(2, 2, 0, "", Map.of(0, 8L));
        subscriptions.resolved(2, 1, 0, "", Map.of(0, 10L));
        assertThat(log).containsExactly("request 2 a a", "row d id a");
    }

    @Test
    void shouldAskForANextGenerationAndSayWhenAllIsActiveInIt() {
        activate(wanted("c", "a", "id", "a"), 1);
        subscriptions.addPlain(plain("p", "q"), 0);
        subscriptions.resolved(2, 1, 0, "", Map.of(0, 10L));
        applied.applied(1, 0, 1, 10);
        subscriptions.appliedMoved();
        log.clear();

        subscriptions.generations(List.of(1, 2), 0);
        int ofPlain = log.contains("request 3 a a") ? 4 : 3;
        assertThat(log).containsExactlyInAnyOrder("request " + (7 - ofPlain) + " a a", "request " + ofPlain + " * q");
        assertThat(subscriptions.areActiveIn(2)).isFalse();
        subscriptions.resolved(7 - ofPlain, 2, 0, "", Map.of());
        begin(wanted("late", "a", "id", "b"), 0);
        assertThat(subscriptions.areActiveIn(2)).isFalse();

        subscriptions.resolved(ofPlain, 2, 0, "", Map.of(1, 3L));
        applied.applied(2, 1, 1, 3);
        subscriptions.appliedMoved();
        assertThat(subscriptions.areActiveIn(2))
                .as("who waits is active in neither")
                .isTrue();

        subscriptions.resolved(5, 2, 0, "", Map.of());
        assertThat(log).doesNotContain("row late id b");
        subscriptions.generations(List.of(2), 0);
        assertThat(log).as("the first generation is no more").contains("row late id b");
    }

    @Test
    void shouldForgetAGenerationThatWasGivenUp() {
        subscriptions.generations(List.of(1, 2), 0);
        applied.applied(2, 0, 50, 60);
        subscriptions.generations(List.of(1), 0);
        subscriptions.generations(List.of(1, 2), 0);
        assertThat(applied.accept(2, 0, 1)).as("its offsets begin anew").isTrue();
        assertThat(applied.covers(2, 0, 60)).isFalse();
    }

    @Test
    void shouldTakeAppliedThatComesBeforeResolved() {
        begin(wanted("c", "a", "id", "a"), 0);
        applied.applied(1, 0, 1, 10);
        subscriptions.appliedMoved();
        subscriptions.resolved(1, 1, 0, "", Map.of(0, 10L));
        assertThat(log).containsExactly("request 1 a a", "row c id a");
    }

    @Test
    void shouldNotBelieveADeposedOwner() {
        begin(wanted("c", "a", "id", "a"), 0);
        subscriptions.resolved(1, 1, 0, "", Map.of(0, 30L));
        assertThat(applied.applied(1, 0, 20, 25)).isTrue();
        assertThat(applied.applied(1, 0, 19, 40)).isFalse();
        subscriptions.appliedMoved();
        assertThat(log).containsExactly("request 1 a a");
        assertThat(applied.accept(1, 0, 31))
                .as("it has loaded all before its number")
                .isTrue();
        subscriptions.appliedMoved();
        assertThat(log).endsWith("row c id a");
    }

    @Test
    void shouldAskNobodyForAnInterestThatIsActive() {
        activate(wanted("c", "a", "id", "a"), 1);
        Subscribing second = begin(wanted("d", "a", "id", "a"), 0);
        assertThat(log).containsExactly("row d id a");
        rowsStored();
        subscriptions.commit(second);
        log.clear();
        subscriptions.clientGone("c");
        assertThat(log).containsExactly("no row c id");
        subscriptions.clientGone("d");
        assertThat(log).endsWith("no row d id", "withdraw a a");
    }

    @Test
    void shouldRepeatAnUnansweredRequestAndThenRefuseNamingWhatIsMissing() {
        begin(wanted("c", "a", "id", "a"), 0);
        subscriptions.tick(RETRY - 1);
        assertThat(log).hasSize(1);
        subscriptions.tick(RETRY);
        assertThat(log).containsExactly("request 1 a a", "request 1 a a");
        subscriptions.resolved(1, 1, 0, "", Map.of(0, 5L, 1, 5L));
        applied.applied(1, 1, 0, 5);
        subscriptions.appliedMoved();
        subscriptions.tick(TIMEOUT);
        assertThat(log)
                .endsWith(
                        "withdraw a a",
                        "refused c 97 neighborhood not active after 15000 ms: the router has not applied partitions"
                                + " [0]");
        assertThat(subscriptions.interestCount()).isZero();
    }

    @Test
    void shouldPassOnTheResolversRefusalAndLeaveNothing() {
        begin(wanted("c", "a", "id", "a"), 0);
        subscriptions.resolved(1, 1, 0x83, "$.stages[0]: unknown entity", Map.of());
        assertThat(log).containsExactly("request 1 a a", "withdraw a a", "refused c 83 $.stages[0]: unknown entity");
        assertThat(subscriptions.table().size()).isZero();
    }

    @Test
    void shouldReleaseTheOldInterestOnlyAfterTheSwitch() {
        Subscription old = wanted("c", "a", "id", "a");
        activate(old, 1);
        Subscribing replacing = begin(wanted("c", "a", "id", "b"), 0);
        subscriptions.resolved(2, 1, 0, "", Map.of());
        rowsStored();
        assertThat(log).containsExactly("request 2 b a", "row c id b", "ready c");
        assertThat(subscriptions.table().get(old.key())).isEqualTo(old);
        subscriptions.commit(replacing);
        assertThat(log).endsWith("withdraw a a");
        assertThat(subscriptions.table().size()).isEqualTo(1);
    }

    @Test
    void shouldLeaveTheOldOneWholeWhenItsReplacementFails() {
        Subscription old = wanted("c", "a", "id", "a");
        activate(old, 1);
        Subscribing replacing = begin(wanted("c", "a", "id", "b"), 0);
        subscriptions.resolved(2, 1, 0, "", Map.of());
        rowsStored();
        subscriptions.abort(replacing, "HiveMQ said no");
        assertThat(log).endsWith("row c id a", "withdraw b a");
        assertThat(subscriptions.table().get(old.key())).isEqualTo(old);
        assertThat(subscriptions.interestCount()).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingWhenTheClientGoesInAnyState() {
        begin(wanted("c", "a", "1", "a"), 0);
        begin(wanted("c", "a", "2", "b"), 0);
        subscriptions.resolved(2, 1, 0, "", Map.of());
        begin(wanted("c", "a", "3", "c"), 0);
        subscriptions.resolved(3, 1, 0, "", Map.of());
        rowsStored();
        subscriptions.clientGone("c");
        assertThat(log).contains("withdraw a a", "no row c 2", "withdraw b a", "no row c 3", "withdraw c a");
        assertThat(subscriptions.interestCount()).isZero();
        assertThat(subscriptions.pendingClients()).isEmpty();
        rowsStored();
        subscriptions.resolved(1, 1, 0, "", Map.of());
        assertThat(subscriptions.table().size()).isZero();
    }

    @Test
    void shouldServePlainAtOnceAndRepeatItsInterestForEver() {
        subscriptions.addPlain(plain("c", "a/#"), 0);
        assertThat(subscriptions.table().size()).isEqualTo(1);
        subscriptions.tick(TIMEOUT * 10);
        subscriptions.resolved(1, 1, 0x97, "later", Map.of());
        subscriptions.tick(TIMEOUT * 20);
        assertThat(log).containsExactly("request 1 * a/#", "row c  *", "request 1 * a/#", "request 1 * a/#");
        subscriptions.addPlain(plain("c", "a/#"), 0);
        subscriptions.addPlain(plain("d", "a/#"), 0);
        subscriptions.remove(List.of(plain("c", "a/#").key()));
        assertThat(log).doesNotContain("withdraw * a/#");
        subscriptions.remove(List.of(plain("d", "a/#").key()));
        assertThat(log).endsWith("withdraw * a/#");
    }

    @Test
    void shouldHoldAnInterestExactlyAsLongAsSomebodyWantsIt() {
        long seed = System.nanoTime();
        for (long s : new long[] {1, 2, 3, seed}) {
            simulate(new Random(s), "seed " + s);
        }
    }

    private void simulate(Random random, String seed) {
        Map<Interest, Integer> requested = new java.util.HashMap<>();
        List<long[]> ids = new ArrayList<>();
        Subscriptions.Effects effects = new Subscriptions.Effects() {
            @Override
            public void requestInterest(Interest interest, String descriptor, long requestId) {
                requested.merge(interest, 1, Integer::sum);
                ids.add(new long[] {requestId});
            }

            @Override
            public void withdrawInterest(Interest interest) {
                assertThat(requested.remove(interest)).as(seed).isNotNull();
            }

            @Override
            public void storeRow(Subscription subscription, Runnable stored) {
                rowsUnderway.add(stored);
            }

            @Override
            public void dropRow(Subscription.Key key) {}
        };
        Subscriptions all = new Subscriptions(EDGE, effects, applied, List.of(1), RETRY, 0);
        List<Subscribing> underway = new ArrayList<>();
        long now = 0;
        for (int step = 0; step < 2_000; step++) {
            now += random.nextInt(500);
            String client = "c" + random.nextInt(3);
            switch (random.nextInt(8)) {
                case 0, 1 ->
                    underway.add(all.begin(
                            wanted(
                                    client,
                                    "t/" + random.nextInt(2),
                                    "i" + random.nextInt(2),
                                    "abc".substring(random.nextInt(3)).substring(0, 1)),
                            now,
                            TIMEOUT,
                            new Subscribing.Outcome() {
                                @Override
                                public void ready() {}

                                @Override
                                public void refused(int reasonCode, String reason) {}
                            }));
                case 2 -> {
                    if (!ids.isEmpty()) {
                        all.resolved(
                                ids.get(random.nextInt(ids.size()))[0],
                                1,
                                random.nextInt(5) == 0 ? 0x97 : 0,
                                "",
                                Map.of());
                    }
                }
                case 3 -> rowsStored();
                case 4 -> {
                    if (!underway.isEmpty()) {
                        all.commit(underway.remove(random.nextInt(underway.size())));
                    }
                }
                case 5 -> all.tick(now);
                case 6 -> all.addPlain(plain(client, "t/" + random.nextInt(2)), now);
                default -> {
                    if (random.nextInt(4) == 0) {
                        all.clientGone(client);
                    } else {
                        all.remove(all.table().ofClient(client).stream()
                                .limit(1)
                                .map(Subscription::key)
                                .toList());
                    }
                }
            }
            assertThat(requested.keySet()).as(seed).hasSize(all.interestCount());
        }
        for (int c = 0; c < 3; c++) {
            all.clientGone("c" + c);
        }
        assertThat(requested).as(seed).isEmpty();
        assertThat(all.table().size()).as(seed).isZero();
        assertThat(all.waitingInterests()).as(seed).isZero();
    }
}
