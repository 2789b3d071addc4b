package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.perf.BookEntry;
import io.hereabouts.perf.Report;
import io.hereabouts.perf.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Three minutes of {@code perf ledger}: with this seed everything that can be killed is killed once, a router stands still for
 * longer than its session lasts, and the clients of an edge are cut off.
 */
class LedgerIT {

    private static final long SEED = Long.getLong("hereabouts.ledger.seed", 10);
    private static final List<Fault> FAULTS =
            List.of(Fault.EDGE, Fault.ROUTER, Fault.RESOLVER, Fault.KAFKA, Fault.STALL, Fault.CUT);

    @Test
    void shouldAccountForEveryCopyWhateverDies() throws Exception {
        Result result = Ledger.run(new LedgerParameters(SEED, 3, 300, FAULTS), System.out::println);

        System.out.println(Report.text(result));
        assertThat(result.books()).allSatisfy(book -> assertThat(book).matches(BookEntry::balances));
        assertThat(result.books())
                .filteredOn(book -> book.of().endsWith("delivered + dropped"))
                .hasSize(3)
                .allSatisfy(book -> assertThat(book.expected()).isPositive());
        assertThat(result.figures())
                .filteredOn(figure -> figure.of().endsWith("until well and nothing late"))
                .as("each fault happened")
                .hasSameSizeAs(FAULTS);
        assertThat(result.figures())
                .as("nobody was too slow")
                .noneMatch(figure ->
                        figure.of().startsWith("QoS 1, dropped") || figure.of().startsWith("QoS 2, dropped"));
    }
}
