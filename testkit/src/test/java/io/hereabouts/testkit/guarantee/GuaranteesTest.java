package io.hereabouts.testkit.guarantee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.testkit.oracle.Expected;
import io.hereabouts.testkit.oracle.Oracle;
import io.hereabouts.testkit.oracle.Published;
import io.hereabouts.testkit.oracle.Subscribed;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each guarantee is shown a run that keeps it and runs that break it. */
class GuaranteesTest {

    private final Published p1 = new Published("p1", "pub", "t", "e", 1);
    private final Published p2 = new Published("p2", "pub", "t", "e", 1);

    @Test
    void lostDeliveryShouldBeRed() {
        NoLostDelivery g = NoLostDelivery.ofQos1();
        publish(g, p1, copy("p1", "a", 1), copy("p1", "b", 1), copy("p1", "c", 0));
        g.delivered(delivery("p1", "a", 1));
        assertThat(g.violations()).isEmpty();

        g.acknowledged("p1");
        assertThat(g.violations())
                .singleElement()
                .asString()
                .contains("publication p1 for client b", "neither delivered");
        g.dropped("p1", "b", "queue_full");
        assertThat(g.violations()).isEmpty();
    }

    @Test
    void lostQos0ShouldBeRedWhereAskedFor() {
        NoLostDelivery g = NoLostDelivery.ofQos0();
        publish(g, p1, copy("p1", "c", 0));
        g.acknowledged("p1");
        assertThat(g.violations()).singleElement().asString().contains("QoS 0");
    }

    @Test
    void duplicateShouldBeRedBeyondWhatIsAllowed() {
        NoDuplicateDelivery strict = NoDuplicateDelivery.strict();
        NoDuplicateDelivery lenient = NoDuplicateDelivery.allowing(1);
        for (NoDuplicateDelivery g : List.of(strict, lenient)) {
            g.delivered(delivery("p1", "a", 1));
            g.delivered(delivery("p1", "b", 1));
            assertThat(g.violations()).isEmpty();
            g.delivered(delivery("p1", "a", 1));
        }
        assertThat(strict.violations()).containsExactly("publication p1 for client a came 2 times");
        assertThat(lenient.violations()).isEmpty();
        lenient.delivered(delivery("p1", "a", 1));
        assertThat(lenient.repeats()).isEqualTo(2);
        assertThat(lenient.violations()).isNotEmpty();
    }

    @Test
    void wrongOrderShouldBeRedPerEntityPublisherAndQos() {
        PerEntityOrder g = new PerEntityOrder();
        publish(g, p1);
        publish(g, p2);
        publish(g, new Published("other-entity", "pub", "t", "e2", 1));
        publish(g, new Published("other-publisher", "pub2", "t", "e", 1));
        publish(g, new Published("other-qos", "pub", "t", "e", 0));
        for (String id : List.of("other-qos", "other-publisher", "other-entity", "p1", "p2", "p1")) {
            g.delivered(delivery(id, "a", 1));
        }
        assertThat(g.violations()).as("repeats are passed over").isEmpty();

        g.delivered(delivery("p2", "b", 1));
        g.delivered(delivery("p1", "b", 1));
        assertThat(g.violations())
                .singleElement()
                .asString()
                .contains("client b got publication p1 after p2", "entity e");
    }

    @Test
    void wrongOrderOfPlainPublicationsShouldBeRedPerTopic() {
        PerEntityOrder g = new PerEntityOrder();
        publish(g, new Published("x1", "pub", "x", null, 0));
        publish(g, new Published("y", "pub", "y", null, 0));
        publish(g, new Published("x2", "pub", "x", null, 0));
        List.of("y", "x2", "x1").forEach(id -> g.delivered(delivery(id, "a", 0)));
        assertThat(g.violations()).singleElement().asString().contains("x1 after x2", "topic x");
    }

    @Test
    void deliveryOutsideFilterShouldBeRed() {
        NoDeliveryOutsideFilter g = new NoDeliveryOutsideFilter();
        publish(g, p1, copy("p1", "a", 1, "n1", "n2"));
        publish(g, p2);
        g.delivered(delivery("p1", "a", 0, "n2", "n1"));
        assertThat(g.violations()).isEmpty();

        g.delivered(delivery("p1", "b", 1));
        g.delivered(delivery("ghost", "a", 1));
        g.delivered(delivery("p1", "a", 1, "n1"));
        g.delivered(delivery("p1", "a", 2, "n1", "n2"));
        assertThat(g.violations())
                .satisfiesExactly(
                        line -> assertThat(line).contains("client b", "no subscription"),
                        line -> assertThat(line).contains("ghost", "nobody published"),
                        line -> assertThat(line).contains("[n1], expected [n1, n2]"),
                        line -> assertThat(line).contains("QoS 2, expected 1"));
        g.refused("p1");
        assertThat(g.violations()).filteredOn(line -> line.contains("refused")).hasSize(4);
    }

    @Test
    void booksShouldBalanceAndSumUpPerQos() {
        Books g = new Books();
        publish(g, p1, copy("p1", "a", 1), copy("p1", "b", 1), copy("p1", "c", 0), copy("p1", "d", 0));
        publish(g, p2, copy("p2", "a", 1));
        g.acknowledged("p1");
        g.delivered(delivery("p1", "a", 1));
        g.delivered(delivery("p1", "a", 1));
        g.dropped("p1", "b", "expired");
        g.delivered(delivery("p1", "c", 0));
        g.droppedUnnamed("buffer_full", 0, 1);

        assertThat(g.violations()).isEmpty();
        assertThat(g.sums(1)).isEqualTo(new Books.Sums(1, 2, 2, 1, Map.of("expired", 1L), 1));
        assertThat(g.sums(0)).isEqualTo(new Books.Sums(0, 0, 2, 1, Map.of("buffer_full", 1L), 0));
        assertThat(g.sums(0).droppedInAll()).isEqualTo(1);
    }

    @Test
    void booksShouldBeRedWhenACopyIsMissingOrTooMany() {
        Books missing = new Books();
        publish(missing, p1, copy("p1", "a", 1));
        missing.acknowledged("p1");
        assertThat(missing.violations()).anySatisfy(line -> assertThat(line).contains("client a", "is missing"));

        Books both = new Books();
        publish(both, p1, copy("p1", "a", 1));
        both.acknowledged("p1");
        both.delivered(delivery("p1", "a", 1));
        both.dropped("p1", "a", "expired");
        assertThat(both.violations()).singleElement().asString().contains("delivered and said to be dropped: expired");

        Books uncounted = new Books();
        publish(uncounted, p1, copy("p1", "a", 1));
        uncounted.acknowledged("p1");
        uncounted.delivered(delivery("p1", "a", 1));
        uncounted.droppedUnnamed("buffer_full", 1, 1);
        assertThat(uncounted.violations()).singleElement().asString().contains("0 copies are missing, 1 drops");

        Books extra = new Books();
        publish(extra, p1);
        extra.acknowledged("p1");
        extra.delivered(delivery("p1", "a", 1));
        extra.dropped("p1", "b", "expired");
        assertThat(extra.violations())
                .containsExactly(
                        "publication p1 for client a was delivered and not expected",
                        "publication p1 for client b was said to be dropped and not expected");

        Books refused = new Books();
        publish(refused, p1, copy("p1", "a", 1));
        refused.refused("p1");
        assertThat(refused.violations()).isEmpty();
        refused.delivered(delivery("p1", "a", 1));
        assertThat(refused.violations()).singleElement().asString().contains("not expected");
    }

    @Test
    void shouldAskTheOracleAndReportAllThatBrokeAtOnce() {
        Oracle oracle = new Oracle(List.of(), List.of(Subscribed.plain("a", "t", 1)));
        Guarantees g = Guarantees.watching(
                oracle,
                NoLostDelivery.ofQos1(),
                NoDuplicateDelivery.strict(),
                new NoDeliveryOutsideFilter(),
                new Books());
        g.publishing(p1);
        g.acknowledged("p1");
        g.delivered(delivery("p1", "a", 1));
        assertThatCode(g::verify).doesNotThrowAnyException();

        g.publishing(p2);
        g.acknowledged("p2");
        g.delivered(delivery("p1", "a", 1));
        assertThatThrownBy(g::verify)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BROKEN: no acknowledged publication is lost (1)")
                .hasMessageContaining("BROKEN: no repeats (1)")
                .hasMessageContaining("publication p2 for client a");
    }

    @Test
    void shouldCountRightWhenManyThreadsReport() throws InterruptedException {
        Oracle oracle = new Oracle(List.of(), List.of(Subscribed.plain("a", "t", 1), Subscribed.plain("b", "#", 0)));
        Books books = new Books();
        NoDuplicateDelivery repeats = NoDuplicateDelivery.strict();
        Guarantees g = Guarantees.watching(oracle, books, repeats, new PerEntityOrder(), NoLostDelivery.ofQos0());
        ExecutorService threads = Executors.newFixedThreadPool(8);
        IntStream.range(0, 8)
                .forEach(t -> threads.execute(() -> {
                    for (int i = 0; i < 500; i++) {
                        String id = t + "-" + i;
                        g.publishing(new Published(id, "pub" + t, "t", null, 1));
                        g.delivered(delivery(id, "a", 1));
                        g.acknowledged(id);
                        g.delivered(delivery(id, "b", 0));
                    }
                }));
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        g.verify();
        assertThat(books.sums(1)).isEqualTo(new Books.Sums(1, 4_000, 4_000, 4_000, Map.of(), 0));
    }

    private static void publish(Guarantee g, Published p, Expected... copies) {
        g.publishing(p, List.of(copies));
    }

    private static Expected copy(String publication, String client, int qos, String... ids) {
        return new Expected(publication, client, new TreeSet<>(List.of(ids)), qos);
    }

    private static Delivered delivery(String publication, String client, int qos, String... ids) {
        return Delivered.of(publication, client, List.of(ids), qos);
    }
}
