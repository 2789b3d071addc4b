package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.perf.BookEntry;
import io.hereabouts.perf.Report;
import io.hereabouts.perf.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Three minutes of {@code perf ledger}, with the faults that cost a process something. */
class LedgerIT {

    @Test
    void shouldAccountForEveryCopyWhateverDies() throws Exception {
        LedgerParameters parameters = new LedgerParameters(
                Long.getLong("hereabouts.ledger.seed", 17),
                3,
                200,
                List.of(Fault.EDGE, Fault.ROUTER, Fault.RESOLVER, Fault.KAFKA, Fault.CUT));

        Result result = Ledger.run(parameters, System.out::println);

        System.out.println(Report.text(result));
        assertThat(result.books()).allSatisfy(book -> assertThat(book).matches(BookEntry::balances));
        assertThat(result.books())
                .filteredOn(book -> book.of().endsWith("delivered + dropped"))
                .hasSize(3)
                .allSatisfy(book -> assertThat(book.expected()).isPositive());
        assertThat(result.figures())
                .noneMatch(figure ->
                        figure.of().startsWith("QoS 1, dropped") || figure.of().startsWith("QoS 2, dropped"));
    }
}
