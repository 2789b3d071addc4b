package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code doctor}: is everything there, and does it work? */
@Command(
        name = "doctor",
        description = {
            "Checks Kafka, its topics, the world, edge, resolver and router, and sends a publication the whole way.",
            "One line each: ok, FAILED with what to do, or skipped. Exit code 0 if nothing failed, else 1."
        })
final class DoctorCommand implements Callable<Integer> {

    private static final String ANY_ADDRESS = "0.0.0.0";

    @Mixin
    private SettingsOptions options;

    @Mixin
    private MqttOptions mqtt;

    @Option(names = "--json", description = "print the checks as a JSON list")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        if (!spec.commandLine().getParseResult().hasMatchedOption("-h")) {
            String listens = settings.mqtt().host();
            mqtt.host = listens.equals(ANY_ADDRESS) ? "127.0.0.1" : listens;
        }
        if (!spec.commandLine().getParseResult().hasMatchedOption("-p")) {
            mqtt.port = settings.mqtt().port();
        }
        // wrong options are refused before anything is looked at
        var unused = mqtt.client();
        List<Check> checks = new Doctor(Wiring.of(settings), mqtt).examine();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(checks));
        } else {
            checks.forEach(out::println);
        }
        return checks.stream().anyMatch(check -> check.state() == Check.State.FAILED) ? 1 : 0;
    }
}
