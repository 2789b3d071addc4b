package io.hereabouts.bridge.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Subscription.Options OPTIONS = new Subscription.Options(1, false, true, 0, 7);
    private static final Subscription SPATIAL =
            new Subscription("c", TopicFilter.parse("t/#"), "home", NeighborhoodId.of("a".repeat(32)), "{}", OPTIONS);
    private static final Subscription PLAIN = Subscription.plain("c", TopicFilter.parse("t/#"), OPTIONS);

    private final SubscriptionTable table = new SubscriptionTable();
    private final List<String> told = new ArrayList<>();
    private final List<String> repaired = new ArrayList<>();
    private final Comparison comparison = new Comparison();
    private final Comparison.Repairs repairs = new Comparison.Repairs() {
        @Override
        public void endSession(String client, String brokerFilter) {
            repaired.add("end " + client);
        }

        @Override
        public void serve(Subscription plain) {
            repaired.add("serve " + plain);
        }

        @Override
        public void tell(String client, TopicFilter statuses) {
            repaired.add("tell " + client + " " + statuses);
        }

        @Override
        public void forget(Subscription subscription) {
            repaired.add("forget " + subscription.id());
        }
    };

    private void atRest(BrokerSubscription... brokers) {
        comparison.atRest(List.of(brokers), served()).forEach(difference -> difference.repair(repairs));
    }

    private void again(BrokerSubscription... brokers) {
        comparison.again(List.of(brokers), served()).forEach(difference -> difference.repair(repairs));
    }

    private Comparison.Served served() {
        return new Comparison.Served(table.all(), (client, filter) -> told.contains(client + " " + filter));
    }

    private static BrokerSubscription at(String filter) {
        return new BrokerSubscription("c", filter, OPTIONS);
    }

    @Test
    void shouldFindNothingWhereBothHaveTheSame() {
        table.put(SPATIAL);
        table.put(PLAIN);
        told.add("c $hereabouts/neighborhoods/#");
        atRest(
                at(SPATIAL.brokerFilter()),
                at("t/#"),
                at("$hereabouts/neighborhoods/#"),
                at("$SYS/#"),
                at("$share/g/t"));
        assertThat(repaired).isEmpty();
    }

    @Test
    void shouldRepairEachKindOfDifference() {
        table.put(SPATIAL);
        atRest(
                new BrokerSubscription("stranger", HiddenTopics.hide("stranger", "x", "t"), OPTIONS),
                at("t/#"),
                at("$hereabouts/neighborhoods/+"));
        assertThat(repaired)
                .containsExactlyInAnyOrder(
                        "forget home", "end stranger", "serve " + PLAIN, "tell c $hereabouts/neighborhoods/+");
    }

    @Test
    void shouldTakeWhatIsUnderWayForNoDifference() {
        again(at("t/#"));
        table.put(PLAIN);
        again();
        assertThat(repaired).isEmpty();
        again();
        assertThat(repaired).containsExactly("forget ");
    }

    @Test
    void shouldTakeAnotherFreshSubscriptionOfAClientForAnotherDifference() {
        again(at(HiddenTopics.hide("c", "one", "t")));
        again(at(HiddenTopics.hide("c", "two", "t")));
        assertThat(repaired).isEmpty();
        again(at(HiddenTopics.hide("c", "two", "t")));
        assertThat(repaired).containsExactly("end c");
    }

    @Test
    void shouldTakeAnotherSubscriptionInItsPlaceForAnotherDifference() {
        table.put(SPATIAL);
        again();
        table.put(new Subscription(
                "c",
                SPATIAL.topicFilter(),
                "home",
                NeighborhoodId.of("b".repeat(32)),
                "{}",
                new Subscription.Options(0, false, false, 0, null)));
        again();
        assertThat(repaired).isEmpty();
    }
}
