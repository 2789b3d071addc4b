package io.hereabouts.launcher;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.launcher.config.InvalidSettingsException;
import io.hereabouts.launcher.config.StackSettings;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.postgis.PostgisConnection;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.util.ArrayList;
import java.util.List;
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
        PostgisConnection postgis,
        RouterConfig router,
        StackSettings settings) {

    /** The id that an edge is checked with before it has its own. */
    private static final EdgeId UNNAMED = EdgeId.of("unnamed");

    /** The configurations for these settings, on the Kafka they name, else on the embedded stack's on this machine. */
    public static Wiring of(StackSettings settings) throws InvalidSettingsException {
        return of(settings, kafka(settings).bootstrapServers());
    }

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
        PostgisConnection postgis =
                problems.collect(() -> postgis(settings.world().postgis()));
        RouterConfig router = problems.collect(() -> router(settings.router(), kafka, topics));
        problems.collect(() -> edge(settings.edge().id().map(EdgeId::of).orElse(UNNAMED), settings, kafka, topics));
        problems.throwIfAny();
        return new Wiring(kafka, topics, resolver, resolution, postgis, router, settings);
    }

    /** What the edge with this id is configured with. */
    public EdgeConfig edge(EdgeId id) {
        return edge(id, settings, kafka, topics);
    }

    /** Kafka as the settings name it, else the embedded stack's on this machine. */
    public static KafkaConnection kafka(StackSettings settings) {
        return new KafkaConnection(
                settings.kafka()
                        .bootstrapServers()
                        .orElse("127.0.0.1:" + settings.kafka().port()),
                settings.kafka().settings());
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

    /**
     * The limits of a descriptor.
     *
     * @throws InvalidSettingsException if they are out of range
     */
    public static DescriptorLimits descriptors(StackSettings settings) throws InvalidSettingsException {
        Problems problems = new Problems();
        DescriptorLimits limits = problems.collect(() -> limits(settings.neighborhood()));
        problems.throwIfAny();
        return limits;
    }

    private static DescriptorLimits limits(StackSettings.Neighborhood n) {
        return new DescriptorLimits(n.maxBytes(), n.maxStages(), n.maxReferences(), n.maxCategories(), n.maxDepth());
    }

    private static PostgisConnection postgis(StackSettings.Postgis settings) {
        return PostgisConnection.of(
                settings.url(), settings.user(), settings.password().orElse(""));
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

    private static EdgeConfig edge(EdgeId id, StackSettings settings, KafkaConnection kafka, TopicCatalogue topics) {
        EdgeConfig.Limits limits = EdgeConfig.Limits.DEFAULT;
        return EdgeConfig.builder(id, kafka, topics)
                .listen(settings.mqtt().host(), settings.mqtt().port())
                .descriptors(limits(settings.neighborhood()))
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
