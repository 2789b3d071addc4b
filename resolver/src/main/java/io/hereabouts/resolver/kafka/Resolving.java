package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import io.hereabouts.resolver.filters.Decision.Resolve;
import io.hereabouts.resolver.filters.Refusal;
import io.hereabouts.resolver.filters.SpatialFilter;
import io.hereabouts.resolver.world.Footprint;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.UnresolvableException;
import io.hereabouts.resolver.world.WorldModel;
import io.hereabouts.resolver.world.WorldUnavailableException;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.kafka.KafkaConnection;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the world what a descriptor means. Every way it can end is an answer. Thread-safe. */
final class Resolving {

    private static final Logger LOG = LoggerFactory.getLogger(Resolving.class);

    /** Room for the other fields of a slice and for its key. */
    private static final int MAX_SLICE_BYTES = KafkaConnection.MAX_FILTER_RECORD_BYTES - 1_024;

    /** The edge enforces its limits on what clients send; a canonical text may be longer than what was sent. */
    private static final DescriptorParser PARSER =
            new DescriptorParser(new DescriptorLimits(16 * 1024 * 1024, 10_000, 1_000_000, 100_000, 400));

    private final WorldModel world;
    private final int partitions;
    private final ResolverMetrics metrics;

    Resolving(WorldModel world, int partitions, ResolverMetrics metrics) {
        this.world = world;
        this.partitions = partitions;
        this.metrics = metrics;
    }

    /** The version of the world; 0 if it cannot be asked. */
    long worldVersion() {
        try {
            return world.version();
        } catch (WorldUnavailableException e) {
            LOG.warn("the world model is unavailable: {}", e.getMessage());
            return 0;
        }
    }

    /** Which of these the world does not have; empty if it cannot be asked. */
    Optional<MissingEntities> missing(Set<EntityId> references) {
        try {
            return Optional.of(world.missing(references));
        } catch (WorldUnavailableException e) {
            LOG.warn("the world model is unavailable: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Tells a tenure what changes the world, until it is closed. */
    WorldFollower follow(Tenure tenure) {
        return WorldFollower.start(world, tenure);
    }

    /** What a neighborhood depends on that somebody else has resolved. */
    static Footprint footprint(String descriptor) {
        try {
            return Footprint.unknown(PARSER.parse(descriptor));
        } catch (InvalidDescriptorException e) {
            // nothing that the world may become makes it resolvable
            return new Footprint(Set.of(), List.of());
        }
    }

    /** Calls exactly one of the two; never throws. */
    void resolve(Resolve resolve, Consumer<SpatialFilter> resolved, Consumer<Refusal> refused) {
        long begin = System.nanoTime();
        String descriptor = resolve.descriptor();
        SpatialFilter filter;
        try {
            filter = SpatialFilter.of(world.resolve(PARSER.parse(descriptor), resolve.unknown()), partitions);
            if (filter.largestSliceBytes() > MAX_SLICE_BYTES) {
                throw new TooLargeException("$: the neighborhood's " + filter.total() + " entities need "
                        + filter.largestSliceBytes() + " bytes in one partition, the limit is " + MAX_SLICE_BYTES);
            }
        } catch (InvalidDescriptorException e) {
            refuse("invalid", begin, Refusal.IMPLEMENTATION_SPECIFIC, e, refused);
            return;
        } catch (UnresolvableException e) {
            int code = e.reason() == UnresolvableException.Reason.UNKNOWN_REFERENCE
                    ? Refusal.IMPLEMENTATION_SPECIFIC
                    : Refusal.QUOTA_EXCEEDED;
            refuse(e.reason().name().toLowerCase(Locale.ROOT), begin, code, e, refused);
            return;
        } catch (TooLargeException e) {
            refuse("too_large", begin, Refusal.QUOTA_EXCEEDED, e, refused);
            return;
        } catch (WorldUnavailableException e) {
            LOG.warn("the world model is unavailable: {}", e.getMessage());
            refuse("unavailable", begin, Refusal.QUOTA_EXCEEDED, e, refused);
            return;
        } catch (RuntimeException e) {
            LOG.error("resolving {} failed", descriptor, e);
            refuse("failed", begin, Refusal.IMPLEMENTATION_SPECIFIC, e, refused);
            return;
        }
        metrics.resolution("resolved", Duration.ofNanos(System.nanoTime() - begin));
        resolved.accept(filter);
    }

    private void refuse(String outcome, long begin, int code, Exception why, Consumer<Refusal> refused) {
        metrics.resolution(outcome, Duration.ofNanos(System.nanoTime() - begin));
        refused.accept(new Refusal(code, String.valueOf(why.getMessage())));
    }

    private static final class TooLargeException extends Exception {
        private static final long serialVersionUID = 1L;

        TooLargeException(String message) {
            super(message);
        }
    }
}
