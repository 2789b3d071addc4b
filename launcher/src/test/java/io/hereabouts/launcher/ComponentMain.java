package io.hereabouts.launcher;

import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A component as a process of its own: {@code router}, {@code resolver} or {@code edge}, then settings as
 * {@code key=value}. Prints its HTTP port, then {@code ready}, for an edge with its MQTT port; {@code failed} with the
 * reason if it does not start, or ends of itself.
 */
final class ComponentMain {

    private ComponentMain() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> commandLine = Arrays.stream(args)
                .skip(1)
                .map(arg -> arg.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length == 2 ? pair[1] : ""));
        StackSettings settings = Settings.load(Optional.empty(), commandLine, System.getenv());
        try {
            Component component = Component.start(
                    Component.Kind.valueOf(args[0].toUpperCase(Locale.ROOT)), settings, System.err::println);
            Runtime.getRuntime().addShutdownHook(new Thread(component::close));
            System.out.println("http " + component.httpPort());
            System.out.println("ready"
                    + (component.mqttPort().isPresent()
                            ? " " + component.mqttPort().getAsInt()
                            : ""));
            String reason = component.end().toCompletableFuture().join();
            System.out.println("failed " + reason);
            component.close();
            System.exit(1);
        } catch (StartException e) {
            System.out.println("failed " + e.getMessage());
            System.exit(1);
        }
    }
}
