package io.hereabouts.cli;

import io.hereabouts.launcher.Component;
import io.hereabouts.launcher.StartException;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code router}, {@code resolver}, {@code edge}: one component as a process of its own, until SIGTERM or Ctrl-C. */
abstract class ComponentCommand implements Callable<Integer> {

    private final Component.Kind kind;

    @Mixin
    private SettingsOptions options;

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the rest
    private ComponentCommand(Component.Kind kind) {
        this.kind = kind;
    }

    @Override
    public Integer call() throws Exception {
        StackSettings settings = options.load();
        // with the reason, or with nothing if it was told to
        CompletableFuture<String> end = new CompletableFuture<>();
        AtomicBoolean starting = new AtomicBoolean(true);
        Thread starter = Thread.currentThread();
        Shutdown shutdown = Shutdown.onSignal(() -> {
            end.complete("");
            if (starting.getAndSet(false)) {
                starter.interrupt();
            }
        });
        PrintWriter err = spec.commandLine().getErr();
        try (Component component = Component.start(
                kind, settings, obstacle -> err.println("hereabouts " + kind + ": waiting: " + obstacle))) {
            starting.set(false);
            PrintWriter out = spec.commandLine().getOut();
            out.println(ready(component, settings));
            out.flush();
            var unused = component.end().thenAccept(end::complete);
            String reason = end.get();
            if (!reason.isEmpty()) {
                throw new FailedException(reason);
            }
            return 0;
        } catch (StartException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        } finally {
            shutdown.complete();
        }
    }

    private String ready(Component component, StackSettings settings) {
        String mqtt = component.mqttPorts().isEmpty()
                ? ""
                : ": " + Listening.text(settings.mqtt().host(), component.mqttPorts());
        return kind + " ready" + mqtt + "; metrics and health on http://"
                + settings.http().host() + ":" + component.httpPort();
    }

    /** {@code router}. */
    @Command(
            name = "router",
            mixinStandardHelpOptions = true,
            description = {
                "Runs a router until SIGTERM. Several share the publications.",
                "Waits for Kafka and its topics up to kafka.start-timeout; prints one line when it is ready."
            })
    static final class Router extends ComponentCommand {
        Router() {
            super(Component.Kind.ROUTER);
        }
    }

    /** {@code resolver}. */
    @Command(
            name = "resolver",
            mixinStandardHelpOptions = true,
            description = {
                "Runs a resolver until SIGTERM. Several share the neighborhoods.",
                "Waits for Kafka, its topics and the world up to kafka.start-timeout; prints one line when it is ready."
            })
    static final class Resolver extends ComponentCommand {
        Resolver() {
            super(Component.Kind.RESOLVER);
        }
    }

    /** {@code edge}. */
    @Command(
            name = "edge",
            mixinStandardHelpOptions = true,
            description = {
                "Runs an edge, an MQTT 5 broker, until SIGTERM. Each has an id and a port of its own.",
                "Waits for Kafka and its topics up to kafka.start-timeout; prints one line when it is ready."
            })
    static final class Edge extends ComponentCommand {
        Edge() {
            super(Component.Kind.EDGE);
        }
    }
}
