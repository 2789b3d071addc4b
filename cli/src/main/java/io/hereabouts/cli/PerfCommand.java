package io.hereabouts.cli;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.Result;
import io.hereabouts.perf.kafka.RouteBenchmark;
import io.hereabouts.perf.kafka.RouteParameters;
import io.hereabouts.perf.mqtt.E2eBenchmark;
import io.hereabouts.perf.mqtt.E2eParameters;
import io.hereabouts.perf.mqtt.SubscribeBenchmark;
import io.hereabouts.perf.mqtt.SubscribeParameters;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perf}: how fast it is, against a baseline in the same run. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        description = {
            "Measures against a baseline in the same run, in turn; see docs/perf.md.",
            "Exit code 0 if the books balance: everything came exactly once."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            PerfCommand.Route.class,
            PerfCommand.E2e.class,
            PerfCommand.Subscribe.class,
            PerfIndexCommand.class,
            PerfSustainCommand.class,
            PerfScaleCommand.class,
            PerfAlternativesCommand.class,
            PerfChangeCommand.class,
            PerfResolveCommand.class,
            PerfMappingCommand.class,
            PerfPaperCommand.class,
            PerfRealCommand.class,
            PerfFloodCommand.class,
            PerfLedgerCommand.class,
            PerfSmokeCommand.class,
            PerfCompareCommand.class
        })
final class PerfCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    /** What a subcommand measures. */
    @FunctionalInterface
    interface Benchmark {
        Result run() throws MeasurementException, InterruptedException;
    }

    static int report(Benchmark benchmark, PerfOutput output) throws Exception {
        return report(benchmark, output, result -> true);
    }

    /** @param good decides in addition to books and targets */
    static int report(Benchmark benchmark, PerfOutput output, Predicate<Result> good) throws Exception {
        // what was started is stopped, and what was added to a running stack's world is removed, at Ctrl-C too
        Shutdown shutdown = Shutdown.onSignal(Thread.currentThread()::interrupt);
        try {
            Result result = benchmark.run();
            int code = output.report(result);
            return good.test(result) ? code : 1;
        } catch (MeasurementException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new FailedException("interrupted");
        } finally {
            shutdown.complete();
        }
    }

    @Command(
            name = "route",
            mixinStandardHelpOptions = true,
            description = {
                "Measures what routing a publication costs.",
                "CPU time of the stream threads and rate, against a topology that copies each record, on a Kafka of its own."
            })
    static final class Route implements Callable<Integer> {

        @Mixin
        private PerfOutput output;

        @Option(
                names = "--records",
                paramLabel = "N",
                defaultValue = "500000",
                description = "publications of a round; default ${DEFAULT-VALUE}")
        private int records;

        @Option(
                names = "--rounds",
                paramLabel = "N",
                defaultValue = "5",
                description = "rounds of each; default ${DEFAULT-VALUE}")
        private int rounds;

        @Option(
                names = "--partitions",
                paramLabel = "N",
                defaultValue = "12",
                description = "of publications and filters; default ${DEFAULT-VALUE}")
        private int partitions;

        @Option(
                names = "--payload",
                paramLabel = "BYTES",
                defaultValue = "128",
                description = "of a publication; default ${DEFAULT-VALUE}")
        private int payload;

        @Option(
                names = "--entities",
                paramLabel = "N",
                defaultValue = "10000",
                description = "that publish; default ${DEFAULT-VALUE}")
        private int entities;

        @Option(
                names = "--neighborhoods",
                paramLabel = "N",
                defaultValue = "100",
                description = "that the entities are dealt to, at least 10; default ${DEFAULT-VALUE}")
        private int neighborhoods;

        @Option(
                names = "--fan-outs",
                paramLabel = "N",
                split = ",",
                description = "only the shapes with a fan-out of 0, 1 or 10; default: all")
        private List<Integer> fanOuts = List.of();

        @Override
        public Integer call() throws Exception {
            RouteParameters parameters = PerfOutput.checked(() -> new RouteParameters(
                    output.seed, records, rounds, partitions, payload, entities, neighborhoods, fanOuts));
            return report(() -> RouteBenchmark.run(parameters, output.progress()), output);
        }
    }

    @Command(
            name = "e2e",
            mixinStandardHelpOptions = true,
            description = {
                "Measures latency and throughput from MQTT client to MQTT clients.",
                "Latency is open loop at a fixed rate; the baseline is the same clients on HiveMQ CE without Hereabouts."
            })
    static final class E2e implements Callable<Integer> {

        @Mixin
        private PerfOutput output;

        @Mixin
        private PerfStackOptions stack;

        @Option(
                names = "--plain",
                paramLabel = "HOST:PORT",
                description = "a broker without Hereabouts to compare a running stack with; default: its own edge")
        private String plain = "";

        @Option(
                names = "--rate",
                paramLabel = "N",
                defaultValue = "1000",
                description = "messages a second of the latency rounds; default ${DEFAULT-VALUE}")
        private int rate;

        @Option(
                names = "--seconds",
                paramLabel = "N",
                defaultValue = "10",
                description = "of each round; default ${DEFAULT-VALUE}")
        private int seconds;

        @Option(
                names = "--warm-up",
                paramLabel = "SECONDS",
                defaultValue = "10",
                description = "at full speed before anything is measured; default ${DEFAULT-VALUE}")
        private int warmUp;

        @Option(
                names = "--rounds",
                paramLabel = "N",
                defaultValue = "3",
                description = "rounds of each, for latency and for throughput; default ${DEFAULT-VALUE}")
        private int rounds;

        @Option(
                names = "--window",
                paramLabel = "N",
                defaultValue = "200",
                description = "messages on their way in the throughput rounds; default ${DEFAULT-VALUE}")
        private int window;

        @Option(
                names = "--payload",
                paramLabel = "BYTES",
                defaultValue = "128",
                description = "of a message, at least 24; default ${DEFAULT-VALUE}")
        private int payload;

        @Option(
                names = "--subscribers",
                paramLabel = "N",
                defaultValue = "5",
                description = "that each get every message; default ${DEFAULT-VALUE}")
        private int subscribers;

        @Option(
                names = {"-q", "--qos"},
                paramLabel = "QOS",
                defaultValue = "1",
                description = "0 or 1; default ${DEFAULT-VALUE}")
        private int qos;

        @Option(
                names = "--entities",
                paramLabel = "N",
                defaultValue = "50",
                description = "in the neighborhood; default ${DEFAULT-VALUE}")
        private int entities;

        @Override
        public Integer call() throws Exception {
            E2eParameters parameters = PerfOutput.checked(() -> new E2eParameters(
                    output.seed, rate, seconds, warmUp, rounds, window, payload, subscribers, qos, entities));
            var choice = stack.choice(plain);
            return report(() -> E2eBenchmark.run(parameters, choice, output.progress()), output);
        }
    }

    @Command(
            name = "subscribe",
            mixinStandardHelpOptions = true,
            description = {
                "Measures the time from SUBSCRIBE to SUBACK.",
                "For a neighborhood that is new, known on another edge, known on the same edge; starts the other edge itself."
            })
    static final class Subscribe implements Callable<Integer> {

        @Mixin
        private PerfOutput output;

        @Mixin
        private PerfStackOptions stack;

        @Option(
                names = "--subscriptions",
                paramLabel = "N",
                defaultValue = "100",
                description = "of each kind in a round; default ${DEFAULT-VALUE}")
        private int subscriptions;

        @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "default ${DEFAULT-VALUE}")
        private int rounds;

        @Option(
                names = "--entities",
                paramLabel = "N",
                defaultValue = "50",
                description = "in each neighborhood; default ${DEFAULT-VALUE}")
        private int entities;

        @Override
        public Integer call() throws Exception {
            SubscribeParameters parameters =
                    PerfOutput.checked(() -> new SubscribeParameters(output.seed, subscriptions, rounds, entities));
            var choice = stack.choice("");
            return report(() -> SubscribeBenchmark.run(parameters, choice, output.progress()), output);
        }
    }
}
