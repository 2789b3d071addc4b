package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SheetTest {

    private static final Sheet.Again NONE = new Sheet.Again(0, 0, 0);

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldLetNothingOfQos1And2BeLostWhateverHappens(Fault fault) {
        assertThat(sheet(1, 9, NONE).wrong(fault, 0)).singleElement().asString().startsWith("QoS 1: 1 copies neither");
        assertThat(sheet(2, 9, NONE).wrong(fault, 0)).hasSize(1);
        assertThat(sheet(2, 10, NONE).wrong(fault, 0)).isEmpty();
    }

    @Test
    void shouldExcuseQos0OnlyWhereCountersWereKilled() {
        assertThat(sheet(0, 9, NONE).wrong(Fault.EDGE, 0)).isEmpty();
        assertThat(sheet(0, 9, NONE).wrong(Fault.ROUTER, 0)).isEmpty();
        assertThat(sheet(0, 9, NONE).wrong(Fault.KAFKA, 0)).isEmpty();
        assertThat(sheet(0, 9, NONE).wrong(Fault.CUT, 0)).hasSize(1);
        assertThat(sheet(0, 9, NONE).wrong(Fault.OUTAGE, 0)).hasSize(1);
    }

    @Test
    void shouldLetRepeatsOfQos2BeMarkedAndBoundedAfterAnEdgeKillAndNeverElse() {
        Sheet.Again marked = new Sheet.Again(7, 0, 0);

        assertThat(sheet(2, 10, marked).wrong(Fault.EDGE, 7)).isEmpty();
        assertThat(sheet(2, 10, marked).wrong(Fault.EDGE, 6)).hasSize(1);
        assertThat(sheet(2, 10, marked).wrong(Fault.ROUTER, 7)).hasSize(1);
        assertThat(sheet(2, 10, new Sheet.Again(0, 1, 0)).wrong(Fault.CUT, 7)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldNeverExcuseARepeatWithAnotherIdThatNobodySentAgain(int qos) {
        assertThat(sheet(qos, 10, new Sheet.Again(0, 0, 1)).wrong(Fault.EDGE, 100))
                .hasSize(1);
    }

    @Test
    void shouldFindDropsBeyondWhatIsMissing() {
        Sheet sheet = new Sheet(1, 10, 10, 10, new TreeMap<>(), 2, 0, NONE);

        assertThat(sheet.wrong(Fault.CUT, 0)).hasSize(1);
        assertThat(sheet.wrong(Fault.EDGE, 0)).isEmpty();
    }

    @Test
    void shouldAddUp() {
        Sheet one = new Sheet(0, 10, 8, 5, new TreeMap<>(Map.of("offline", 2L)), 0, 1, new Sheet.Again(1, 2, 3));

        Sheet both = one.plus(new Sheet(0, 1, 1, 0, new TreeMap<>(Map.of("offline", 1L)), 4, 5, NONE));

        assertThat(both)
                .hasToString("QoS 0: 9 expected = 5 delivered + 3 dropped {offline=3} + 1 unexplained; 6 in doubt,"
                        + " 6 repeats (1 with the same publication-id, 2 taken twice, 3 otherwise)");
        assertThat(both.overcounted()).isEqualTo(4);
    }

    private static Sheet sheet(int qos, long delivered, Sheet.Again repeats) {
        return new Sheet(qos, 10, 10, delivered, new TreeMap<>(), 0, 0, repeats);
    }
}
