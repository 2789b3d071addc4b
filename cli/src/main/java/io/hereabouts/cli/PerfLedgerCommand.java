package io.hereabouts.cli;

import io.hereabouts.perf.ledger.Fault;
import io.hereabouts.perf.ledger.Ledger;
import io.hereabouts.perf.ledger.LedgerParameters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code perf ledger}: the books of a stack that things happen to. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        description = {
            "Kills, stops and cuts off parts of a stack under load, and accounts for every copy.",
            "Starts Kafka, PostGIS, a resolver, two routers and two edges as processes; exit code 1 if the books do not balance."
        })
final class PerfLedgerCommand implements Callable<Integer> {

    @Mixin
    private PerfOutput output;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "30",
            description = "that the schedule takes; default ${DEFAULT-VALUE}")
    private int minutes;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "500",
            description = "publications a second; default ${DEFAULT-VALUE}")
    private int rate;

    @Option(
            names = "--faults",
            paramLabel = "FAULT",
            split = ",",
            description = {
                "edge, router, resolver, kafka (each killed), stall (any of them stands still), outage (no Kafka for 60 s),",
                "postgis (stopped), cut (clients' connections); default: all"
            })
    private List<Fault> faults = List.of(Fault.values());

    @Override
    public Integer call() throws Exception {
        LedgerParameters parameters =
                PerfOutput.checked(() -> new LedgerParameters(output.seed, minutes, rate, faults));
        return PerfCommand.report(() -> Ledger.run(parameters, output.progress()), output);
    }
}
