package io.hereabouts.cli;

import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Where an edge listens, for a person. No state. */
final class Listening {

    private Listening() {}

    /** {@code MQTT on 127.0.0.1:1883, 127.0.0.1:8883 (tls)}. */
    static String text(String host, Map<MqttListener, Integer> ports) {
        return ports.entrySet().stream()
                .map(listener -> host + ":" + listener.getValue()
                        + (listener.getKey() == MqttListener.TCP
                                ? ""
                                : " ("
                                        + listener.getKey()
                                                .name()
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', '-') + ")"))
                .collect(Collectors.joining(", ", "MQTT on ", ""));
    }
}
