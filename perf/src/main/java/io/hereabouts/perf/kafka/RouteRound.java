package io.hereabouts.perf.kafka;

import io.hereabouts.perf.Measurement;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Progress;
import io.hereabouts.perf.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * One run of a contender over all publications. The first tenth of them passes before anything is measured: joining the
 * group and loading filters are other questions.
 *
 * @param cpuMicros stream-thread CPU time of a record
 * @param recordsPerSecond until everything that is to be written is in Kafka
 */
record RouteRound(double cpuMicros, double recordsPerSecond) {

    private static final Duration STALL = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = 500_000;

    /**
     * Measures.
     *
     * @param records how many the contender is to process
     * @param expected end offsets when everything is written
     * @param ends asks Kafka for end offsets
     */
    static RouteRound measure(
            Contender contender, long records, Map<TopicPartition, Long> expected, Consumer<byte[], byte[]> ends)
            throws MeasurementException, InterruptedException {
        awaitProcessed(contender, records / 10);
        StreamThreads threads = StreamThreads.of(contender.applicationId());
        long fromNanos = System.nanoTime();
        long fromCpu = threads.cpuNanos();
        long from = contender.processed();
        awaitProcessed(contender, records);
        long cpu = threads.cpuNanos() - fromCpu;
        awaitWritten(contender, expected, ends);
        long nanos = System.nanoTime() - fromNanos;
        if (from >= records) {
            throw new MeasurementException("--records is too small: all were processed before the first look");
        }
        double measured = records - from;
        return new RouteRound(cpu / 1e3 / measured, measured * 1e9 / nanos);
    }

    /** One run of a contender. */
    @FunctionalInterface
    interface Turn {
        RouteRound run() throws MeasurementException, InterruptedException;
    }

    /**
     * Lets two contenders take turns, once each for nothing, and adds their figures and ratios.
     *
     * @return CPU time, first ÷ second
     */
    static Measurement takeTurns(
            String shape,
            int rounds,
            String first,
            Turn ofFirst,
            String second,
            Turn ofSecond,
            Progress progress,
            Result.Builder result)
            throws MeasurementException, InterruptedException {
        List<RouteRound> a = new ArrayList<>();
        List<RouteRound> b = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            a.add(ofFirst.run());
            b.add(ofSecond.run());
            progress.line(String.format(
                    Locale.ROOT,
                    "%s: %s, %s %.2f µs, %s %.2f µs",
                    shape,
                    round == 0 ? "warm-up" : "round " + round + " of " + rounds,
                    first,
                    a.get(round).cpuMicros(),
                    second,
                    b.get(round).cpuMicros()));
        }
        return compare(shape, first, a.subList(1, a.size()), second, b.subList(1, b.size()), result);
    }

    private static Measurement compare(
            String shape,
            String first,
            List<RouteRound> ofFirst,
            String second,
            List<RouteRound> ofSecond,
            Result.Builder result) {
        Measurement cpu = cpu(shape + ": " + first, ofFirst);
        Measurement otherCpu = cpu(shape + ": " + second, ofSecond);
        Measurement ratio = Measurement.ratio(shape + ": CPU, " + first + " ÷ " + second, cpu, otherCpu);
        Measurement rate = rate(shape + ": " + first, ofFirst);
        Measurement otherRate = rate(shape + ": " + second, ofSecond);
        result.figure(cpu)
                .figure(otherCpu)
                .figure(ratio)
                .figure(rate)
                .figure(otherRate)
                .figure(Measurement.ratio(shape + ": rate, " + first + " ÷ " + second, rate, otherRate));
        return ratio;
    }

    /** CPU time of a record, round by round. */
    static Measurement cpu(String of, List<RouteRound> rounds) {
        return new Measurement(
                of + " CPU a record",
                "µs",
                rounds.stream().map(RouteRound::cpuMicros).toList());
    }

    /** Records a second, round by round. */
    static Measurement rate(String of, List<RouteRound> rounds) {
        return new Measurement(
                of + " rate",
                "records/s",
                rounds.stream().map(RouteRound::recordsPerSecond).toList());
    }

    private static void awaitProcessed(Contender contender, long records)
            throws MeasurementException, InterruptedException {
        long reached = -1;
        long progressed = System.nanoTime();
        while (true) {
            long now = contender.processed();
            if (now >= records) {
                return;
            }
            if (now > reached) {
                reached = now;
                progressed = System.nanoTime();
            }
            pause(contender, progressed, now + " of " + records + " records are processed");
        }
    }

    private static void awaitWritten(
            Contender contender, Map<TopicPartition, Long> expected, Consumer<byte[], byte[]> ends)
            throws MeasurementException, InterruptedException {
        Collection<TopicPartition> partitions = expected.keySet();
        long begin = System.nanoTime();
        while (true) {
            Map<TopicPartition, Long> now = ends.endOffsets(partitions);
            if (partitions.stream().allMatch(p -> now.getOrDefault(p, 0L) >= expected.getOrDefault(p, 0L))) {
                return;
            }
            pause(contender, begin, "end offsets are " + now + ", expected " + expected);
        }
    }

    private static void pause(Contender contender, long since, String state)
            throws MeasurementException, InterruptedException {
        String problem = contender.problem();
        if (!problem.isEmpty()) {
            throw new MeasurementException(contender.applicationId() + ": " + problem);
        }
        if (System.nanoTime() - since > STALL.toNanos()) {
            throw new MeasurementException(contender.applicationId() + " stands still: " + state);
        }
        TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
}
