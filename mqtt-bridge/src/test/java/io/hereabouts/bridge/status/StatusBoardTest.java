package io.hereabouts.bridge.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StatusBoardTest {

    private static final NeighborhoodId N = NeighborhoodId.of("0123456789abcdef0123456789abcdef");
    private static final NeighborhoodId SAME_HANDLE = NeighborhoodId.of("0123456789abcdefffffffffffffffff");
    private static final TopicFilter ALL = TopicFilter.parse("$hereabouts/neighborhoods/#");

    private final SubscriptionTable table = new SubscriptionTable();
    private final List<String> told = new ArrayList<>();
    private final StatusBoard board = new StatusBoard(
            table,
            (client, topic, id, json) ->
                    told.add(client + " " + topic + " " + id + " " + new String(json, StandardCharsets.UTF_8)));

    @Test
    void shouldTellWhoWantsHowItsNeighborhoodsAre() {
        board.resolved(status(3, 7));
        serve("c", "air", "here");
        serve("d", "air", "here");

        want("c", TopicFilter.parse("$hereabouts/neighborhoods/elsewhere"));
        board.changed(status(4, 8));
        assertThat(told).isEmpty();
        want("c", TopicFilter.parse("$hereabouts/neighborhoods/+"));

        assertThat(told)
                .containsExactly("c $hereabouts/neighborhoods/here here {\"neighborhood\":\"" + N
                        + "\",\"state\":\"resolved\",\"entities\":4,\"worldVersion\":8}");
    }

    @Test
    void shouldTellWhoSubscribesLater() {
        want("c", ALL);
        board.resolved(status(0, 7));
        assertThat(told).isEmpty();

        serve("c", "air", "here");

        assertThat(told).singleElement().asString().contains("\"entities\":0,");
    }

    @Test
    void shouldTellWhatChangesOnceForEachNameAndNothingTwice() {
        want("c", ALL);
        board.resolved(status(3, 7));
        serve("c", "air", "here");
        serve("c", "noise", "here");
        serve("c", "air", "there");
        told.clear();

        board.changed(new Status(N, 2, 8, List.of("zone/1"), ""));
        board.changed(new Status(N, 2, 8, List.of("zone/1"), ""));

        assertThat(told)
                .hasSize(2)
                .allMatch(line -> line.endsWith(
                        "\"state\":\"incomplete\",\"entities\":2,\"worldVersion\":8," + "\"missing\":[\"zone/1\"]}"))
                .anyMatch(line -> line.startsWith("c $hereabouts/neighborhoods/here here "))
                .anyMatch(line -> line.startsWith("c $hereabouts/neighborhoods/there there "));
    }

    @Test
    void shouldSayThatANeighborhoodIsOutdated() {
        want("c", ALL);
        serve("c", "air", "here");

        board.changed(new Status(N, 2, 8, List.of(), "too many"));

        assertThat(told)
                .singleElement()
                .asString()
                .contains("\"state\":\"outdated\"")
                .endsWith("\"reason\":\"too many\"}");
    }

    @Test
    void shouldNotLetAnAnswerHideThatAReferenceIsGone() {
        serve("c", "air", "here");
        board.changed(new Status(N, 2, 8, List.of("zone/1"), ""));
        board.resolved(status(2, 8));

        want("c", ALL);

        assertThat(told).singleElement().asString().contains("incomplete");
    }

    @Test
    void shouldTellNobodyWhoDoesNotWantOrHasNoSuchNeighborhood() {
        serve("c", "air", "here");
        want("c", ALL);
        want("d", ALL);
        board.changed(new Status(SAME_HANDLE, 1, 8, List.of(), ""));
        board.unwant("c", ALL.value());
        board.changed(status(1, 8));
        want("c", TopicFilter.parse("$hereabouts/neighborhoods/here"));
        told.clear();
        board.sessionEnded("c");
        board.changed(status(2, 9));

        assertThat(told).isEmpty();
    }

    @Test
    void shouldEncodeWhatATopicNameCannotHave() {
        want("c", ALL);
        board.resolved(status(1, 7));

        serve("c", "air", "a+b#c%2B/d");

        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("c $hereabouts/neighborhoods/a%2Bb%23c%252B/d a+b#c%2B/d {");
    }

    @Test
    void shouldForgetWhatNobodyHolds() {
        board.resolved(status(1, 7));
        board.retain(Set.of());
        serve("c", "air", "here");

        want("c", ALL);

        assertThat(told).isEmpty();
    }

    @Test
    void shouldTakeSoManyTopicFiltersOfAClientAndNoMore() {
        board.resolved(status(1, 7));
        serve("c", "air", "here");
        for (int i = 0; i < StatusBoard.MAX_FILTERS; i++) {
            want("c", TopicFilter.parse("$hereabouts/neighborhoods/" + i));
        }

        assertThat(board.want("c", ALL)).isFalse();
        assertThat(board.want("c", TopicFilter.parse("$hereabouts/neighborhoods/0")))
                .isTrue();
        assertThat(board.want("d", ALL)).isTrue();
        board.changed(status(2, 8));
        assertThat(told).isEmpty();
    }

    private void want(String client, TopicFilter filter) {
        assertThat(board.want(client, filter)).isTrue();
        board.stored(client, filter);
    }

    private void serve(String client, String filter, String id) {
        Subscription subscription = new Subscription(
                client, TopicFilter.parse(filter), id, N, "{}", new Subscription.Options(1, false, false, 0, null));
        table.put(subscription);
        board.subscribed(subscription);
    }

    private static Status status(int entities, long worldVersion) {
        return new Status(N, entities, worldVersion, List.of(), "");
    }
}
