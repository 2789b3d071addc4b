package io.hereabouts.perf.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final List<Fault> ALL = List.of(Fault.values());

    @Test
    void shouldBeTheSameForTheSameSeedAndAnotherForAnother() {
        assertThat(of(17, 1_800)).isEqualTo(of(17, 1_800)).isNotEqualTo(of(18, 1_800));
    }

    @Test
    void shouldLetEachFaultHappenBeforeAnyHappensAgain() {
        List<Step> steps = of(17, 1_800);

        assertThat(steps).hasSizeGreaterThan(2 * ALL.size());
        for (int turn = 0; (turn + 1) * ALL.size() <= steps.size(); turn++) {
            assertThat(steps.subList(turn * ALL.size(), (turn + 1) * ALL.size()))
                    .extracting(Step::fault)
                    .containsExactlyInAnyOrderElementsOf(ALL);
        }
    }

    @Test
    void shouldStayWithinItsTimeAndNeverBeginOneBeforeTheLastIsOver() {
        int end = 0;
        for (Step step : of(3, 900)) {
            assertThat(step.at()).isGreaterThan(end);
            end = step.at() + step.seconds() + step.fault().aftermath();
        }
        assertThat(end).isLessThanOrEqualTo(900);
    }

    @Test
    void shouldHaveOneFaultHoweverShortTheTime() {
        assertThat(Schedule.of(1, List.of(Fault.OUTAGE), 2, 2, 60)).hasSize(1);
    }

    @Test
    void shouldHitEveryEdgeAndRouterInTurn() {
        Set<Step.Part> hit = new HashSet<>();
        Schedule.of(5, List.of(Fault.EDGE, Fault.ROUTER, Fault.CUT), 2, 2, 600).forEach(step -> hit.add(step.part()));

        assertThat(hit)
                .containsExactlyInAnyOrder(
                        new Step.Part(Step.Kind.EDGE, 0),
                        new Step.Part(Step.Kind.EDGE, 1),
                        new Step.Part(Step.Kind.ROUTER, 0),
                        new Step.Part(Step.Kind.ROUTER, 1));
    }

    private static List<Step> of(long seed, int seconds) {
        return Schedule.of(seed, ALL, 2, 2, seconds);
    }
}
