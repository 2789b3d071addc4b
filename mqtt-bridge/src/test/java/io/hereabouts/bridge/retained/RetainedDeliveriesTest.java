package io.hereabouts.bridge.retained;

import static io.hereabouts.bridge.retained.RetainedRecord.at;
import static io.hereabouts.bridge.retained.RetainedRecord.kept;
import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Copy;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.delivery.SilentOutput;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RetainedDeliveriesTest {

    private static final NeighborhoodId HERE = NeighborhoodId.of("1".repeat(32));
    private static final NeighborhoodId THERE = NeighborhoodId.of("2".repeat(32));

    private final SubscriptionTable subscriptions = new SubscriptionTable();
    private final RetainedTable table = new RetainedTable(1_000_000);
    private final List<Wanted> asked = new ArrayList<>();
    private final List<Outgoing> sent = new ArrayList<>();
    private final RetainedDeliveries deliveries = new RetainedDeliveries(
            subscriptions,
            table,
            new ClientDeliveries(
                    new SilentOutput() {
                        @Override
                        public void send(Outgoing message, long token) {
                            sent.add(message);
                        }
                    },
                    new ClientDeliveries.Bounds(1_000, 1_000, 1_000_000, false),
                    0),
            new RetainedDeliveries.Requests() {
                @Override
                public void subscribed(Wanted wanted) {
                    asked.add(wanted);
                }

                @Override
                public void follow(Set<NeighborhoodId> neighborhoods) {}
            });
    private final Retained retained = kept("a", "e", 10);

    @BeforeEach
    void retain() {
        table.put(retained);
    }

    private static Subscription subscription(String client, NeighborhoodId neighborhood, int qos, int handling) {
        return new Subscription(
                client,
                TopicFilter.parse("a"),
                "n",
                neighborhood,
                "{}",
                new Subscription.Options(qos, false, false, handling, 7));
    }

    private Subscription subscribe(Subscription subscription) {
        Subscription before = subscriptions.put(subscription);
        deliveries.subscribed(subscription, before);
        return subscription;
    }

    private void handOut(Retained what, Set<Subscription> to, Map<NeighborhoodId, Long> neighborhoods) {
        deliveries.handOut(List.of(new HandOut(what, to, neighborhoods)), 0);
    }

    private void live(long offset, NeighborhoodId... neighborhoods) {
        deliveries.live(
                "e",
                RetainedRecord.publication("a", String.valueOf(offset), null),
                at(offset),
                List.of(neighborhoods).stream().map(NeighborhoodId::handle).toList());
    }

    private List<String> clients() {
        return sent.stream().map(m -> m.copy().client()).toList();
    }

    @Test
    void shouldDeliverWithRetainAtTheLowerQos() {
        Subscription s = subscribe(subscription("s", HERE, 2, 0));
        Subscription t = subscribe(subscription("t", HERE, 0, 0));
        handOut(retained, Set.of(s), Map.of());
        assertThat(sent).singleElement().satisfies(m -> {
            assertThat(m.retain()).isTrue();
            assertThat(m.copy().qos()).isEqualTo(1);
            assertThat(m.copy().neighborhoodIds()).containsExactly("n");
            assertThat(m.copy().subscriptionIdentifiers()).containsExactly(7);
        });
        assertThat(t.options().qos()).isZero();
    }

    @Test
    void shouldAskByRetainHandling() {
        subscribe(subscription("s", HERE, 1, 0));
        subscribe(subscription("s", HERE, 1, 0));
        subscribe(subscription("t", HERE, 1, 1));
        subscribe(subscription("t", HERE, 1, 1));
        subscribe(subscription("t", THERE, 1, 1));
        subscribe(subscription("u", HERE, 1, 2));
        assertThat(asked.stream().map(Wanted::retained)).containsExactly(true, true, true, false, true, false);
        assertThat(asked.stream().map(Wanted::since)).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldNotRepeatWhatCameAsItWasPublishedNorGoBack() {
        Subscription s = subscribe(subscription("s", HERE, 1, 0));
        live(10, HERE);
        handOut(retained, Set.of(s), Map.of());
        live(11, HERE);
        handOut(retained, Set.of(s), Map.of());
        assertThat(sent).isEmpty();
        handOut(kept("a", "e", 12), Set.of(s), Map.of());
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldDeliverWhatCameForOthersOrBeforeTheSubscription() {
        live(10, HERE);
        Subscription s = subscribe(subscription("s", HERE, 1, 0));
        handOut(retained, Set.of(s), Map.of());
        assertThat(sent).hasSize(1);
        live(11, THERE);
        handOut(kept("a", "e", 11), Set.of(s), Map.of());
        assertThat(sent).hasSize(2);
    }

    @Test
    void shouldDeliverAgainToWhoSubscribesAgain() {
        Subscription s = subscribe(subscription("s", HERE, 1, 0));
        live(10, HERE);
        subscribe(s);
        handOut(retained, Set.of(s), Map.of());
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldTellANeighborhoodsSubscriptionsButThoseThatNeverWantOrAreLater() {
        subscribe(subscription("s", HERE, 1, 0));
        subscribe(subscription("never", HERE, 1, 2));
        subscribe(subscription("elsewhere", THERE, 1, 0));
        long asOf = asked.get(asked.size() - 1).since();
        subscribe(subscription("later", HERE, 1, 0));
        handOut(retained, Set.of(), Map.of(HERE, asOf));
        assertThat(clients()).containsExactly("s");
    }

    @Test
    void shouldTellAgainOfAnEntityThatLeftAndCameBack() {
        subscribe(subscription("s", HERE, 1, 0));
        live(10, HERE, THERE);
        handOut(retained, Set.of(), Map.of(HERE, 9L));
        assertThat(sent).isEmpty();
        deliveries.left(HERE, List.of("e"));
        handOut(retained, Set.of(), Map.of(HERE, 9L));
        assertThat(sent).hasSize(1);
    }

    @Test
    void shouldDeliverNothingToWhoIsGoneOrWantsAnotherNeighborhoodOrNotItsOwn() {
        Subscription s = subscribe(subscription("s", HERE, 1, 0));
        subscribe(subscription("s", THERE, 1, 0));
        Subscription gone = subscription("gone", HERE, 1, 0);
        Subscription own = new Subscription(
                "publisher",
                TopicFilter.parse("a"),
                "n",
                HERE,
                "{}",
                new Subscription.Options(1, true, false, 0, null));
        subscribe(own);
        handOut(retained, Set.of(s, gone, own), Map.of());
        assertThat(sent).isEmpty();
    }

    @Test
    void shouldSetRetainOnWhatComesAsPublishedOnlyWhereThatIsAskedFor() {
        for (boolean asPublished : List.of(true, false)) {
            Subscription via = Subscription.plain(
                    "c", TopicFilter.parse("a"), new Subscription.Options(1, false, asPublished, 0, null));
            Outgoing message = new Outgoing(
                    new Copy("c", 1, List.of(), List.of(), via), "e", RetainedRecord.publication("a", "x", null), 0, 0);
            assertThat(message.retain()).isEqualTo(asPublished);
        }
    }
}
