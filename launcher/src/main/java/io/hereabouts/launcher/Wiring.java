package io.hereabouts.launcher;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.config.InvalidSettingsException;
import io.hereabouts.launcher.config.StackSettings;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What each feature is configured with, from the settings that a user writes. Everything that is wrong is reported
 * together.
 *
 * @param kafka where Kafka is
 */
public record Wiring(
        KafkaConnection kafka,
        TopicCatalogue topics,
        ResolverConfig resolver,
        ResolutionLimits resolution,
        RouterConfig router,
        EdgeConfig edge) {

    /**
     * The configurations for these settings.
     *
     * @param bootstrapServers of the Kafka that runs, whatever the settings say
     * @throws InvalidSettingsException with a line for each value that a feature refuses
     */
    public static Wiring of(StackSettings settings, String bootstrapServers) throws InvalidSettingsException {
        KafkaConnection kafka =
                new KafkaConnection(bootstrapServers, settings.kafka().settings());
        TopicCatalogue topics = topics(settings);
        Problems problems = new Problems();
        ResolverConfig resolver = problems.collect(() -> ResolverConfig.withDefaults(kafka, topics)
                .withLinger(settings.neighborhood().linger()));
        ResolutionLimits resolution = problems.collect(
                () -> new ResolutionLimits(settings.neighborhood().maxEntities(), ResolutionLimits.DEFAULT.maxTime()));
        RouterConfig router = problems.collect(() -> router(settings.router(), kafka, topics));
        EdgeConfig edge = problems.collect(() -> edge(settings, kafka, topics));
        problems.throwIfAny();
        return new Wiring(kafka, topics, resolver, resolution, router, edge);
    }

    /**
     * The Kafka topics for these settings.
     *
     * @throws InvalidSettingsException if there cannot be such topics
     */
    public static TopicCatalogue topics(StackSettings settings) throws InvalidSettingsException {
        Problems problems = new Problems();
        TopicCatalogue topics = problems.collect(() -> new TopicCatalogue(
                settings.topics().prefix(),
                settings.topics().partitions(),
                settings.topics().replication(),
                settings.topics().retention()));
        problems.throwIfAny();
        return topics;
    }

    /** The limits of a descriptor. */
    public static DescriptorLimits descriptors(StackSettings.Neighborhood n) {
        return new DescriptorLimits(n.maxBytes(), n.maxStages(), n.maxReferences(), n.maxCategories(), n.maxDepth());
    }

    private static RouterConfig router(StackSettings.Router settings, KafkaConnection kafka, TopicCatalogue topics) {
        return RouterConfig.builder(kafka, topics)
                .threads(settings.threads())
                .guarantee(guarantee(settings.guarantee()))
                .commitInterval(settings.commitInterval())
                .sessionTimeout(settings.sessionTimeout())
                .build();
    }

    private static RouterConfig.Guarantee guarantee(StackSettings.Guarantee guarantee) {
        return guarantee == StackSettings.Guarantee.EXACTLY_ONCE_V2
                ? RouterConfig.Guarantee.EXACTLY_ONCE
                : RouterConfig.Guarantee.AT_LEAST_ONCE;
    }

    private static EdgeConfig edge(StackSettings settings, KafkaConnection kafka, TopicCatalogue topics) {
        EdgeId id = EdgeId.of(settings.edge().id().orElseGet(() -> keptEdgeId(settings.data())));
        EdgeConfig.Limits limits = EdgeConfig.Limits.DEFAULT;
        return EdgeConfig.builder(id, kafka, topics)
                .listen(settings.mqtt().host(), settings.mqtt().port())
                .descriptors(descriptors(settings.neighborhood()))
                .strictEntities(settings.edge().strictEntities())
                .limits(new EdgeConfig.Limits(
                        settings.edge().publishTimeout(),
                        settings.edge().subscribeTimeout(),
                        limits.retry(),
                        limits.heartbeat(),
                        limits.window(),
                        limits.pendingBytes(),
                        limits.qos0Bytes(),
                        settings.edge().maxPayload(),
                        limits.receiveMaximum(),
                        limits.plainQueue()))
                .build();
    }

    /** An edge keeps its name: made once, then read from the data folder. */
    private static String keptEdgeId(Path data) {
        Path file = data.resolve("edge-id");
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(data);
                Files.writeString(file, "edge-" + UUID.randomUUID());
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("edge.id is not set and " + file + " cannot be kept", e);
        }
    }

    private static final class Problems {
        private final List<String> lines = new ArrayList<>();

        /** The value, or null after noting why there is none: {@link #throwIfAny} then stops before it is used. */
        @SuppressWarnings("NullAway")
        <T> T collect(Supplier<T> value) {
            try {
                return value.get();
            } catch (IllegalArgumentException e) {
                lines.add(String.valueOf(e.getMessage()));
                return null;
            }
        }

        void throwIfAny() throws InvalidSettingsException {
            if (!lines.isEmpty()) {
                throw new InvalidSettingsException(lines);
            }
        }
    }
}
