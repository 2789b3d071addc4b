package io.hereabouts.cli;

import io.hereabouts.perf.mqtt.StackChoice;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Which stack is measured. Settings of the environment say what a running stack is like; for one that is started they
 * play no part: its result names all that it depends on.
 */
final class PerfStackOptions {

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "Kafka of a running stack; default: a stack is started in a process of its own")
    private @Nullable String kafka;

    @Option(names = "--mqtt", paramLabel = "HOST:PORT", description = "an edge of the running stack")
    private @Nullable String mqtt;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting of the stack, e.g. router.guarantee=exactly_once_v2; see docs/configuration.md")
    private Map<String, String> settings = new LinkedHashMap<>();

    StackChoice choice(String plain) throws InputException {
        return PerfOutput.checked(() -> new StackChoice(
                kafka,
                mqtt == null ? null : MqttAddress.parse(mqtt),
                plain.isEmpty() ? null : MqttAddress.parse(plain),
                settings));
    }
}
