package io.hereabouts.cli;

import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which every command is configured. */
final class SettingsOptions {

    @Option(names = "--config", paramLabel = "FILE", description = "properties file with settings")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "a setting, e.g. topics.partitions=48; see docs/configuration.md")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "where Kafka is; default: 127.0.0.1 at kafka.port; 'up' starts one itself")
    private @Nullable String kafka;

    /** The settings; more important ones of the command itself go on top. */
    StackSettings load(Map<String, String> more) throws InvalidSettingsException {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (kafka != null) {
            all.put("kafka.bootstrap-servers", kafka);
        }
        all.putAll(more);
        return Settings.load(Optional.ofNullable(file), all, System.getenv());
    }

    StackSettings load() throws InvalidSettingsException {
        return load(Map.of());
    }
}
