package io.hereabouts.cli;

import io.hereabouts.bridge.ClientLookup;
import io.hereabouts.launcher.EmbeddedStack;
import io.hereabouts.launcher.StartException;
import io.hereabouts.launcher.Wiring;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.ops.OpsEndpoint;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code up}: the embedded stack until Ctrl-C. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description =
                "Runs Kafka, resolver, router and an edge in this process, with its data in a folder, until Ctrl-C.")
final class UpCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        Wiring.of(settings);
        ProcessHealth health = EmbeddedStack.health();
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch end = new CountDownLatch(1);
        Shutdown shutdown = Shutdown.onSignal(end::countDown);
        try (OpsEndpoint endpoint = OpsEndpoint.open(OpsAddress.of(settings), health);
                EmbeddedStack stack = EmbeddedStack.launch(settings, endpoint.metrics(), List.of(), health)) {
            endpoint.lookUp(ClientLookup.PATH, stack.clients());
            out.println(Listening.text(settings.mqtt().host(), stack.mqttPorts()) + ", Kafka on "
                    + stack.kafkaServers() + ", metrics and health on http://"
                    + settings.http().host() + ":"
                    + endpoint.port() + ", data in " + settings.data().toAbsolutePath());
            out.flush();
            end.await();
            health.stopping();
            for (Counter counter :
                    endpoint.metrics().find("hereabouts.edge.dropped").counters()) {
                out.printf("dropped %s: %.0f%n", counter.getId().getTags(), counter.count());
            }
            return 0;
        } catch (StartException | IOException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } finally {
            shutdown.complete();
        }
    }
}
