package io.hereabouts.perf.ledger;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import io.hereabouts.replay.mqtt.MqttAddress;
import io.hereabouts.testkit.city.SeededCity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * {@code perf ledger}: a schedule of faults under a steady load, and the books of it. Each fault has a page of its own, which
 * is closed when the stack is well again and nothing is under way.
 */
public final class Ledger {

    private static final int CITY_SIZE = 10;
    private static final int QOS = 3;
    private static final long POLL_MILLIS = 100;

    /** Nothing being late for so long means that a fault is over. */
    private static final Duration CALM = Duration.ofMillis(2_500);

    /** Nothing having come for so long means that nothing of QoS 0 will. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    /** So long a stack may take to be well again, of itself; and so long copies may be under way. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What was handed over in a commit interval of 1 s, with as much again because the machine may be slow. */
    private static final double SECONDS_OF_REPEATS = 2;

    private static final int LINES_SHOWN = 10;

    private final Progress progress;
    private final LedgerStack stack;
    private final LedgerLoad load;
    private final Pace pace;
    private final DropCounters counters = new DropCounters();
    private final Result.Builder result;
    private final List<Sheet> sums =
            new ArrayList<>(IntStream.range(0, QOS).mapToObj(Sheet::empty).toList());
    private final Map<Fault, List<Double>> recoveries = new EnumMap<>(Fault.class);
    private final List<String> wrong = new ArrayList<>();
    private Map<DropCounters.Drop, Long> countedBefore = Map.of();
    private boolean unwell;

    private Ledger(LedgerStack stack, LedgerLoad load, Pace pace, Result.Builder result, Progress progress) {
        this.stack = stack;
        this.load = load;
        this.pace = pace;
        this.result = result;
        this.progress = progress;
    }

    /**
     * Starts a stack, lets the schedule happen, and stops it.
     *
     * @throws MeasurementException if something does not start
     */
    public static Result run(LedgerParameters parameters, Progress progress)
            throws MeasurementException, InterruptedException {
        List<Step> schedule = Schedule.of(
                parameters.seed(),
                parameters.faults(),
                LedgerParameters.EDGES,
                LedgerParameters.ROUTERS,
                Math.toIntExact(TimeUnit.MINUTES.toSeconds(parameters.minutes())));
        schedule.forEach(step -> progress.line(step.toString()));
        Result.Builder result = Result.of(parameters.scenario());
        SeededCity city = SeededCity.generate(parameters.seed(), CITY_SIZE);
        try (LedgerStack stack = LedgerStack.start(city, parameters, progress)) {
            List<MqttAddress> edges = IntStream.range(0, LedgerParameters.EDGES)
                    .mapToObj(stack::address)
                    .toList();
            try (LedgerLoad load = LedgerLoad.open(city, parameters.seed(), edges);
                    Pace pace = new Pace(load, parameters.rate())) {
                return new Ledger(stack, load, pace, result, progress).run(schedule);
            }
        }
    }

    private Result run(List<Step> schedule) throws MeasurementException, InterruptedException {
        long begin = System.nanoTime();
        for (Step step : schedule) {
            run(step, begin);
            if (unwell) {
                result.note("given up after step " + step.number() + " of " + schedule.size());
                break;
            }
        }
        return report((System.nanoTime() - begin) / 1e9);
    }

    private void run(Step step, long begin) throws MeasurementException, InterruptedException {
        Page page = pace.begin();
        long due = begin + TimeUnit.SECONDS.toNanos(step.at());
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        await(step, "calm before it", () -> isCalm(page.begin()));
        counters.look(stack.edges());
        long then = System.nanoTime();
        Chaos.happen(step, stack, () -> counters.look(stack.edges()));
        await(step, "well after it", () -> stack.wrong().isEmpty());
        long well = System.nanoTime();
        await(step, "calm after it", () -> isCalm(well));
        double recovery = Math.max(well, pace.lastLate()) - then;
        pace.pause();
        double seconds = page.seconds();
        if (!settles(page)) {
            unwell(step, "all of QoS 1 and 2 came, each publisher being answered");
        }
        close(step, page, then, seconds, recovery / 1e9);
    }

    private boolean isCalm(long since) {
        return pace.watched() - Math.max(pace.lastLate(), since) > CALM.toNanos();
    }

    /** Waits for what is under way; whether all of QoS 1 and 2 came. */
    private boolean settles(Page page) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            load.conclude();
            if (load.isAnswered() && page.isComplete() && System.nanoTime() - load.lastArrival() > QUIET.toNanos()) {
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return false;
    }

    private void close(Step step, Page page, long then, double seconds, double recovery) throws InterruptedException {
        counters.look(stack.edges());
        Map<DropCounters.Drop, Long> counted = counters.sums();
        Map<DropCounters.Drop, Long> meanwhile = new HashMap<>(counted);
        countedBefore.forEach((drop, count) -> meanwhile.merge(drop, -count, Long::sum));
        countedBefore = counted;
        long cut = step.fault() != Fault.CUT
                ? 0
                : page.inCutConnections(
                        then - TimeUnit.SECONDS.toNanos(1),
                        then + TimeUnit.SECONDS.toNanos(1),
                        client -> LedgerLoad.isOf(client, step.part().index(), LedgerParameters.EDGES));
        List<Sheet> sheets = page.close(meanwhile, cut);
        recoveries.computeIfAbsent(step.fault(), f -> new ArrayList<>()).add(recovery);
        progress.line(String.format(
                Locale.ROOT, "%2d  %s: well and nothing late after %.1f s", step.number(), step.what(), recovery));
        List<String> lines = new ArrayList<>(page.broken());
        for (Sheet sheet : sheets) {
            double perSecond = (sheet.expected() + sheet.doubtful()) / seconds;
            long bound = Math.round(perSecond * SECONDS_OF_REPEATS / LedgerParameters.EDGES);
            sums.set(sheet.qos(), sums.get(sheet.qos()).plus(sheet));
            progress.line("    " + sheet);
            lines.addAll(sheet.wrong(step.fault(), bound));
        }
        page.missed().stream().limit(LINES_SHOWN).forEach(line -> progress.line("    missing: " + line));
        lines.stream().limit(LINES_SHOWN).forEach(line -> progress.line("    WRONG: " + line));
        lines.forEach(line -> wrong.add("step " + step.number() + ", " + step.what() + ": " + line));
    }

    private Result report(double seconds) {
        for (Sheet sheet : sums) {
            result.note(sheet.toString());
        }
        result.note(load.late()
                + " copies came after their page was closed, of publications in doubt or counted as dropped");
        wrong.stream().limit(2L * LINES_SHOWN).forEach(line -> result.note("WRONG: " + line));
        result.figure(one("run", "s", seconds)).figure(one("publications", "", load.published()));
        recoveries.forEach((fault, times) ->
                result.figure(new Measurement(fault + ", from the fault until well and nothing late", "s", times)));
        for (Sheet sheet : sums) {
            String name = "QoS " + sheet.qos();
            sheet.dropped().forEach((reason, count) -> result.figure(copies(name + ", dropped: " + reason, count)));
            result.figure(copies(name + ", in doubt", sheet.doubtful()))
                    .figure(copies(
                            name + ", repeats with the same publication-id",
                            sheet.repeats().marked()))
                    .figure(copies(
                            name + ", repeats, taken twice", sheet.repeats().takenTwice()))
                    .book(name + ": delivered + dropped", sheet.expected(), sheet.delivered() + sheet.droppedInAll());
        }
        long lateRepeats = load.lateRepeats(2);
        return result.book("QoS 2: repeats after the page was closed", 0, lateRepeats)
                .book("sessions lost", 0, load.sessionsLost())
                .book("broken promises", 0, wrong.size())
                .build();
    }

    private static Measurement one(String of, String unit, double value) {
        return new Measurement(of, unit, List.of(value));
    }

    private static Measurement copies(String of, long count) {
        return one(of, "copies", (double) count);
    }

    private interface Condition {
        boolean holds() throws InterruptedException;
    }

    private void await(Step step, String what, Condition condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            pace.check();
            if (System.nanoTime() - end > 0) {
                unwell(step, what + ": " + stack.wrong().orElse("copies are late"));
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Nothing more can be learned from this stack. */
    private void unwell(Step step, String what) {
        unwell = true;
        wrong.add(
                "step " + step.number() + ", " + step.what() + ": not within " + PATIENCE.toSeconds() + " s: " + what);
    }
}
