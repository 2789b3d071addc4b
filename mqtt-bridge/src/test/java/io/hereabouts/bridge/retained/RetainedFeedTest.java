package io.hereabouts.bridge.retained;

import static io.hereabouts.bridge.retained.RetainedRecord.at;
import static io.hereabouts.bridge.retained.RetainedRecord.kept;
import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetainedFeedTest {

    private static final long GRACE = 1_000;
    private static final NeighborhoodId HERE = NeighborhoodId.of("1".repeat(32));
    private static final Subscription S = subscription("s", "a/+");
    private static final Subscription PLAIN = Subscription.plain("p", TopicFilter.parse("#"), options());

    private final RetainedTable table = new RetainedTable(1_000_000);
    private final Map<NeighborhoodId, Set<String>> members = new HashMap<>(Map.of(HERE, Set.of("in")));
    private final RetainedFeed feed = new RetainedFeed(
            table,
            new Members() {
                @Override
                public boolean contains(NeighborhoodId neighborhood, String entity) {
                    return of(neighborhood).contains(entity);
                }

                @Override
                public int count(NeighborhoodId neighborhood) {
                    return of(neighborhood).size();
                }

                @Override
                public Set<String> of(NeighborhoodId neighborhood) {
                    return members.getOrDefault(neighborhood, Set.of());
                }
            },
            GRACE);

    private static Subscription.Options options() {
        return new Subscription.Options(1, false, false, 0, null);
    }

    private static Subscription subscription(String client, String filter) {
        return new Subscription(client, TopicFilter.parse(filter), "here", HERE, "{}", options());
    }

    private void retain(Retained retained) {
        table.put(retained);
        feed.changed(retained);
    }

    private void subscribed(Subscription subscription, long since) {
        feed.subscribed(new Wanted(subscription, since, true), 0);
        feed.serve(since, 0);
    }

    private List<String> due(long upTo) {
        return feed.due(r -> r.position().offset() <= upTo, 500).stream()
                .map(h -> h.retained().position().offset() + " "
                        + h.subscriptions().stream().map(Subscription::client).toList()
                        + h.neighborhoods().keySet().size())
                .toList();
    }

    @Test
    void shouldHandOutWhatMatchesTopicFilterAndNeighborhood() {
        retain(kept("a/1", "in", 3));
        retain(kept("a/2", "in", 2));
        retain(kept("b", "in", 4));
        retain(kept("a/1", "out", 5));
        subscribed(S, 1);
        assertThat(due(9)).containsExactly("2 [s]0", "3 [s]0");
        assertThat(feed.isWaiting()).isFalse();
        subscribed(PLAIN, 2);
        assertThat(due(9)).containsExactly("2 [p]0", "3 [p]0", "4 [p]0", "5 [p]0");
    }

    @Test
    void shouldWaitUntilWhatCameBeforeIsRouted() {
        retain(kept("a/1", "in", 3));
        subscribed(S, 1);
        assertThat(due(2)).isEmpty();
        assertThat(feed.isWaiting()).isTrue();
        assertThat(due(3)).containsExactly("3 [s]0");
    }

    @Test
    void shouldHandOutWhatComesToBeRetainedWithinTheTimeOfGraceOnly() {
        retain(kept("z", "z", 1));
        subscribed(S, 1);
        retain(kept("a/1", "in", 3));
        feed.tick(GRACE - 1);
        retain(kept("a/2", "in", 4));
        feed.tick(GRACE);
        retain(kept("a/3", "in", 5));
        assertThat(due(9)).containsExactly("3 [s]0", "4 [s]0");
    }

    @Test
    void shouldHandOutOnlyTheLastOfAKeyButNotWaitForIt() {
        retain(kept("a/1", "in", 1));
        subscribed(S, 1);
        for (int offset = 2; offset < 10; offset++) {
            retain(kept("a/1", "in", offset));
        }
        assertThat(due(1))
                .as("a later one would never be due while others follow")
                .containsExactly("1 [s]0");
        assertThat(due(9)).containsExactly("9 [s]0");

        retain(kept("a/1", "in", 10));
        retain(kept("a/1", "in", 11));
        assertThat(due(11)).containsExactly("11 [s]0");
    }

    @Test
    void shouldHandOutNothingThatWasClearedOrHasExpired() {
        retain(kept("a/1", "in", 1));
        retain(kept("a/2", "in", 2, -1L));
        subscribed(S, 1);
        table.clear(kept("a/1", "in", 3).key(), at(3));
        feed.cleared(kept("a/1", "in", 3).key(), at(3));
        assertThat(due(9)).isEmpty();
        assertThat(feed.isWaiting()).isFalse();
    }

    @Test
    void shouldTellANeighborhoodWhatCameIntoIt() {
        retain(kept("a/1", "new", 1));
        subscribed(S, 7);
        due(9);
        feed.subscribed(new Wanted(S, 8, true), 0);
        members.put(HERE, Set.of("in", "new"));
        feed.entered(HERE, Set.of("new", "other"), 0);
        List<HandOut> due = feed.due(r -> true, 0);
        assertThat(due).singleElement().satisfies(h -> {
            assertThat(h.subscriptions()).isEmpty();
            assertThat(h.neighborhoods()).as("those after it see it there").containsExactly(Map.entry(HERE, 7L));
        });
        retain(kept("a/1", "other", 2));
        feed.tick(GRACE);
        retain(kept("a/2", "other", 3));
        assertThat(due(9)).as("also what is retained only now").containsExactly("2 []1");
    }

    @Test
    void shouldWaitWithNewSubscriptionsUntilSomethingIsRetained() {
        feed.subscribed(new Wanted(S, 1, true), 0);
        feed.subscribed(new Wanted(PLAIN, 2, false), 0);
        assertThat(feed.hasFresh()).isFalse();
        retain(kept("a/1", "in", 1));
        assertThat(feed.hasFresh()).isTrue();
        assertThat(feed.neighborhoods()).containsExactly(HERE);
        assertThat(feed.lastFresh()).isEqualTo(2);
        feed.serve(2, 0);
        assertThat(due(9)).containsExactly("1 [s]0");
    }

    @Test
    void shouldForgetSubscriptionsThatThereWasNothingFor() {
        feed.subscribed(new Wanted(S, 1, true), 0);
        feed.tick(GRACE);
        retain(kept("a/1", "in", 1));
        assertThat(feed.hasFresh()).isFalse();
        assertThat(feed.isWaiting()).isFalse();
    }

    @Test
    void shouldGoThroughTheNeighborhoodWhenThatIsSmaller() {
        for (int i = 0; i < 10; i++) {
            retain(kept("a/1", "e" + i, i));
        }
        members.put(HERE, Set.of("e3", "e5", "nothing"));
        subscribed(S, 1);
        assertThat(due(99)).containsExactly("3 [s]0", "5 [s]0");
    }
}
