package io.hereabouts.perf.mqtt;

import io.hereabouts.replay.mqtt.MqttAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which stack is measured: one that runs, or one that is started for the measurement, with its data in a temporary folder.
 *
 * @param kafka {@code host:port} of the running stack; null to start one
 * @param mqtt an edge of the running stack; null to start one
 * @param plain a broker without the bridge; null: one is started beside a stack that is started; a running stack's own edge
 *     otherwise, with messages and subscriptions that are not spatial
 * @param settings of the stack, as in docs/configuration.md
 */
public record StackChoice(
        @Nullable String kafka, @Nullable MqttAddress mqtt, @Nullable MqttAddress plain, Map<String, String> settings) {

    /** @throws IllegalArgumentException if only a part of a running stack is named */
    public StackChoice {
        if ((kafka == null) != (mqtt == null)) {
            throw new IllegalArgumentException("--kafka and --mqtt belong together: give both or none");
        }
        settings = Map.copyOf(settings);
    }

    /** A stack of its own with default settings. */
    public static StackChoice embedded() {
        return new StackChoice(null, null, null, Map.of());
    }

    /** Results are published. */
    private static boolean isSecret(String key) {
        return key.contains("password") || key.contains("sasl") || key.contains("ssl");
    }

    /** What goes into the scenario, without secrets. */
    Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(
                "stack", kafka == null ? "embedded, in a process of its own" : "kafka " + kafka + " mqtt " + mqtt);
        if (plain != null) {
            parameters.put("plain", plain.toString());
        }
        settings.forEach((key, value) -> parameters.put(key, isSecret(key) ? "…" : value));
        return parameters;
    }
}
