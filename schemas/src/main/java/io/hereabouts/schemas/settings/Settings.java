package io.hereabouts.schemas.settings;

import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the settings: command line before environment ({@code HEREABOUTS_MQTT_PORT}) before file before default. All that
 * is wrong is reported together; keys that do not exist are refused.
 */
public final class Settings {

    private static final int FILE = 100;
    private static final int ENVIRONMENT = 300;
    private static final int COMMAND_LINE = 400;

    private static final Pattern NOT_CONVERTED = Pattern.compile(
            "SRCFG00039: The config property hereabouts\\.(\\S+) with the config value \"(.*?)\" threw an Exception"
                    + " whilst being converted (?:\\S+Exception: )*(?:SRCFG\\d+: )?(.*)",
            Pattern.DOTALL);
    private static final Pattern UNKNOWN = Pattern.compile("SRCFG00050: hereabouts\\.(\\S+) in ");

    private Settings() {}

    /**
     * Reads the settings.
     *
     * @param file a properties file, if any
     * @param commandLine keys with or without the prefix {@code hereabouts.}
     * @param environment variables, those of the process as a rule
     * @throws InvalidSettingsException naming every key that is wrong
     */
    public static StackSettings load(
            Optional<Path> file, Map<String, String> commandLine, Map<String, String> environment)
            throws InvalidSettingsException {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withMapping(StackSettings.class)
                .withConverter(Duration.class, 500, new DurationConverter())
                .withSources(new EnvConfigSource(environment, ENVIRONMENT))
                .withSources(new PropertiesConfigSource(prefixed(commandLine), "command line", COMMAND_LINE));
        if (file.isPresent()) {
            builder.withSources(
                    new PropertiesConfigSource(read(file.get()), file.get().toString(), FILE));
        }
        try {
            return builder.build().getConfigMapping(StackSettings.class);
        } catch (ConfigValidationException e) {
            List<String> problems = new ArrayList<>();
            for (int i = 0; i < e.getProblemCount(); i++) {
                problems.add(plain(String.valueOf(e.getProblem(i).getMessage())));
            }
            throw new InvalidSettingsException(problems);
        }
    }

    /** The message of the configuration library in our words: which key, which value, what is wrong. */
    private static String plain(String message) {
        Matcher notConverted = NOT_CONVERTED.matcher(message);
        if (notConverted.find()) {
            return notConverted.group(1) + " is '" + notConverted.group(2) + "': " + notConverted.group(3);
        }
        Matcher unknown = UNKNOWN.matcher(message);
        if (unknown.find()) {
            return unknown.group(1) + " is no setting, see docs/configuration.md";
        }
        return message;
    }

    /**
     * Kafka as the settings name it, else the embedded stack's on this machine.
     *
     * @throws InvalidSettingsException if the file with further settings cannot be read
     */
    public static KafkaConnection kafka(StackSettings settings) throws InvalidSettingsException {
        return kafka(
                settings,
                settings.kafka()
                        .bootstrapServers()
                        .orElse("127.0.0.1:" + settings.kafka().port()));
    }

    /** As above, on the Kafka that runs at {@code bootstrapServers}, whatever the settings say. */
    public static KafkaConnection kafka(StackSettings settings, String bootstrapServers)
            throws InvalidSettingsException {
        Map<String, String> all = new HashMap<>(settings.kafka().settings());
        Optional<Path> file = settings.kafka().settingsFile();
        if (file.isPresent()) {
            for (Map.Entry<String, String> setting : properties(file.get()).entrySet()) {
                if (all.putIfAbsent(setting.getKey(), setting.getValue()) != null) {
                    throw new InvalidSettingsException(
                            List.of("kafka.settings." + setting.getKey() + " is set, and so is " + setting.getKey()
                                    + " in " + file.get() + ": expected one of them"));
                }
            }
        }
        return new KafkaConnection(bootstrapServers, all);
    }

    /**
     * The password of the database; empty if there is none.
     *
     * @throws InvalidSettingsException if its file cannot be read, or there are two
     */
    public static String password(StackSettings.Postgis settings) throws InvalidSettingsException {
        Optional<Path> file = settings.passwordFile();
        if (file.isEmpty()) {
            return settings.password().orElse("");
        }
        if (settings.password().isPresent()) {
            throw new InvalidSettingsException(List.of(
                    "world.postgis.password is set, and so is" + " world.postgis.password-file: expected one of them"));
        }
        try {
            return Files.readString(file.get()).strip();
        } catch (IOException e) {
            throw new InvalidSettingsException(
                    List.of("world.postgis.password-file is '" + file.get() + "', which cannot be read"));
        }
    }

    /**
     * The Kafka topics that the settings describe.
     *
     * @throws InvalidSettingsException if there cannot be such topics
     */
    public static TopicCatalogue topics(StackSettings settings) throws InvalidSettingsException {
        StackSettings.Topics t = settings.topics();
        try {
            return new TopicCatalogue(t.prefix(), t.partitions(), t.replication(), t.retention());
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingsException(List.of(String.valueOf(e.getMessage())));
        }
    }

    /**
     * How large a descriptor may be.
     *
     * @throws InvalidSettingsException if a limit is out of range
     */
    public static DescriptorLimits descriptorLimits(StackSettings settings) throws InvalidSettingsException {
        StackSettings.Neighborhood n = settings.neighborhood();
        try {
            return new DescriptorLimits(
                    n.maxBytes(), n.maxStages(), n.maxReferences(), n.maxCategories(), n.maxDepth());
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingsException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static Map<String, String> prefixed(Map<String, String> settings) {
        Map<String, String> prefixed = new HashMap<>();
        settings.forEach(
                (key, value) -> prefixed.put(key.startsWith("hereabouts.") ? key : "hereabouts." + key, value));
        return prefixed;
    }

    private static Map<String, String> read(Path file) throws InvalidSettingsException {
        return prefixed(properties(file));
    }

    private static Map<String, String> properties(Path file) throws InvalidSettingsException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidSettingsException(List.of(file + ": cannot be read: " + e.getMessage()));
        }
        Map<String, String> settings = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }
}
