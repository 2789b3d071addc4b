package io.hereabouts.launcher;

import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.resolver.ResolverConfig;
import io.hereabouts.resolver.postgis.PostgisConnection;
import io.hereabouts.resolver.world.ResolutionLimits;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.util.ArrayList;
import java.util.List;

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
        return of(settings, Settings.kafka(settings).bootstrapServers());
    }

    /**
     * The configurations for these settings.
     *
     * @param bootstrapServers of the Kafka that runs, whatever the settings say
     * @throws InvalidSettingsException with a line for each value that a feature refuses
     */
    public static Wiring of(StackSettings settings, String bootstrapServers) throws InvalidSettingsException {
        KafkaConnection kafka = Settings.kafka(settings, bootstrapServers);
        TopicCatalogue topics = Settings.topics(settings);
        Problems problems = new Problems();
        ResolverConfig resolver = problems.collect(() -> ResolverConfig.withDefaults(kafka, topics)
                .withLinger(settings.neighborhood().linger())
                .withEdgeExpiry(settings.edge().expiry()));
        ResolutionLimits resolution = problems.collect(
                () -> new ResolutionLimits(settings.neighborhood().maxEntities(), ResolutionLimits.DEFAULT.maxTime()));
        PostgisConnection postgis =
                problems.collect(() -> postgis(settings.world().postgis()));
        RouterConfig router = problems.collect(() -> router(settings.router(), kafka, topics));
        problems.collect(() -> EdgeConfig.of(
                settings.edge().id().map(EdgeId::of).orElse(UNNAMED), settings, kafka, EdgeConfig.sessions(settings)));
        problems.collect(() -> OpsAddress.of(settings));
        problems.throwIfAny();
        return new Wiring(kafka, topics, resolver, resolution, postgis, router, settings);
    }

    /** What the edge with this id is configured with. */
    public EdgeConfig edge(EdgeId id) throws InvalidSettingsException {
        return EdgeConfig.of(id, settings, kafka, EdgeConfig.sessions(settings));
    }

    private static PostgisConnection postgis(StackSettings.Postgis settings) throws InvalidSettingsException {
        return PostgisConnection.of(settings.url(), settings.user(), Settings.password(settings));
    }

    private static RouterConfig router(StackSettings.Router settings, KafkaConnection kafka, TopicCatalogue topics) {
        return RouterConfig.builder(kafka, topics)
                .threads(settings.threads())
                .guarantee(guarantee(settings.guarantee()))
                .commitInterval(settings.commitInterval())
                .sessionTimeout(settings.sessionTimeout())
                .edgeSilence(settings.edgeSilence())
                .build();
    }

    private static RouterConfig.Guarantee guarantee(StackSettings.Guarantee guarantee) {
        return guarantee == StackSettings.Guarantee.EXACTLY_ONCE_V2
                ? RouterConfig.Guarantee.EXACTLY_ONCE
                : RouterConfig.Guarantee.AT_LEAST_ONCE;
    }

    private interface Part<T> {
        T get() throws InvalidSettingsException;
    }

    private static final class Problems {
        private final List<String> lines = new ArrayList<>();

        /** The value, or null after noting why there is none: {@link #throwIfAny} then stops before it is used. */
        @SuppressWarnings("NullAway")
        <T> T collect(Part<T> value) {
            try {
                return value.get();
            } catch (IllegalArgumentException | InvalidSettingsException e) {
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
