package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Two clients that want everything, at QoS 0 and 2. */
class PageTest {

    private final Page page = new Page(
            new Oracle(List.of(), List.of(Subscribed.plain("client-0", "#", 0), Subscribed.plain("client-1", "#", 2))),
            0);

    @Test
    void shouldBalanceWhereEverythingCame() {
        publish(1, 2);
        page.taken(1, false);
        came(1, 0, 0, "a");
        came(1, 1, 2, "a");

        assertThat(page.isComplete()).isTrue();
        assertThat(page.broken()).isEmpty();
        assertThat(page.close(Map.of(), 0)).allSatisfy(sheet -> {
            assertThat(sheet.expected()).isEqualTo(sheet.qos() == 1 ? 0 : 1);
            assertThat(sheet.delivered()).isEqualTo(sheet.expected());
            assertThat(sheet.repeats().inAll()).isZero();
        });
    }

    @Test
    void shouldMissWhatDidNotCome() {
        publish(1, 2);
        page.taken(1, false);

        assertThat(page.isComplete()).isFalse();
        assertThat(page.missed()).singleElement().asString().contains("client-1");
        List<Sheet> sheets = page.close(Map.of(new DropCounters.Drop("offline", 0), 1L), 0);
        assertThat(sheets.get(0).dropped()).containsExactly(Map.entry("offline", 1L));
        assertThat(sheets.get(2).unexplained()).isEqualTo(1);
    }

    @Test
    void shouldOweNothingOfWhatIsInDoubt() {
        publish(1, 2);
        page.inDoubt(1);

        assertThat(page.isComplete()).isTrue();
        assertThat(page.close(Map.of(), 0).get(2)).satisfies(sheet -> {
            assertThat(sheet.doubtful()).isEqualTo(1);
            assertThat(sheet.expected()).isZero();
            assertThat(sheet.unexplained()).isZero();
        });
    }

    @Test
    void shouldKnowRepeatsByTheirIdAndByWhoSentAgain() {
        publish(1, 2);
        publish(2, 2);
        page.taken(1, false);
        page.taken(2, true);
        for (String id : List.of("a", "a", "b")) {
            came(1, 1, 2, id);
        }
        came(2, 1, 2, "c");
        came(2, 1, 2, "d");

        assertThat(page.close(Map.of(), 0).get(2).repeats()).isEqualTo(new Sheet.Again(1, 1, 1));
    }

    @Test
    void shouldFindOrderAndFilterBroken() {
        publish(1, 2);
        publish(2, 2);
        came(2, 1, 2, "b");
        came(1, 1, 2, "a");
        came(3, 1, 2, "c");

        assertThat(page.broken())
                .hasSize(2)
                .anyMatch(line -> line.contains("order"))
                .anyMatch(line -> line.contains("nobody published"));
    }

    @Test
    void shouldFindWhatCameThoughItWasRefused() {
        publish(1, 2);
        page.refused(1);
        came(1, 1, 2, "a");

        assertThat(page.broken()).singleElement().asString().contains("refused");
    }

    @Test
    void shouldExplainWhatWasInAConnectionThatWasCutOnly() {
        publish(1, 0);
        page.taken(1, false);
        long now = System.nanoTime();

        assertThat(page.inCutConnections(now - 1_000_000_000L, now, "client-0"::equals))
                .isEqualTo(1);
        assertThat(page.inCutConnections(now, now, client -> true)).isZero();
        assertThat(page.close(Map.of(), 1).get(0)).satisfies(sheet -> {
            assertThat(sheet.dropped()).containsExactly(Map.entry("connection_cut", 1L));
            assertThat(sheet.unexplained()).as("the copy for the other client").isEqualTo(1);
        });
    }

    private void publish(int number, int qos) {
        page.publishing(new Published(String.valueOf(number), "publisher", "t", "e", qos));
    }

    private void came(int number, int client, int qos, String publicationId) {
        page.delivered(number, Delivered.of(String.valueOf(number), "client-" + client, List.of(), qos), publicationId);
    }
}
