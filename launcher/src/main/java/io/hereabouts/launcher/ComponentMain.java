package io.hereabouts.launcher;

import io.hereabouts.bridge.Edge;
import io.hereabouts.resolver.Resolver;
import io.hereabouts.router.Router;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * One component as a process of its own: {@code router}, {@code resolver} or {@code edge}, then settings as
 * {@code key=value}. Prints {@code ready}, for an edge with its port, on standard output; SIGTERM stops it cleanly.
 */
public final class ComponentMain {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private ComponentMain() {}

    public static void main(String[] args) throws InterruptedException {
        Started started = new Started();
        Runtime.getRuntime().addShutdownHook(new Thread(started::close));
        try {
            System.out.println(start(args, started));
        } catch (Exception e) {
            System.err.println("hereabouts: " + (e.getMessage() == null ? e : e.getMessage()));
            System.exit(1);
        }
        new CountDownLatch(1).await();
    }

    private static String start(String[] args, Started started) throws Exception {
        String component = args.length == 0 ? "" : args[0];
        Map<String, String> commandLine = Arrays.stream(args)
                .skip(1)
                .map(arg -> arg.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length == 2 ? pair[1] : ""));
        StackSettings settings = Settings.load(Optional.empty(), commandLine, System.getenv());
        Wiring wiring = Wiring.of(settings);
        MeterRegistry metrics = new SimpleMeterRegistry();
        switch (component) {
            case "router" -> {
                started.add(Router.launch(wiring.router(), metrics)).awaitRunning(START_TIMEOUT);
                return "ready";
            }
            case "resolver" -> {
                WorldSource world = started.add(WorldSource.open(settings, wiring, metrics, START_TIMEOUT));
                started.add(Resolver.launch(wiring.resolver(), world.world(), metrics));
                return "ready";
            }
            case "edge" -> {
                return "ready "
                        + started.add(Edge.launch(wiring.edge(EdgeIds.of(settings)), metrics))
                                .port();
            }
            default ->
                throw new IllegalArgumentException(
                        "'" + component + "' is not a component, expected router, resolver or edge");
        }
    }
}
