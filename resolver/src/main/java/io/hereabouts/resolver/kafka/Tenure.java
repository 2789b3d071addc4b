package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.filters.Decision;
import io.hereabouts.resolver.filters.FilterReader;
import io.hereabouts.resolver.filters.FilterRegistry;
import io.hereabouts.resolver.filters.Input;
import io.hereabouts.resolver.filters.Reaction;
import io.hereabouts.resolver.filters.Refusal;
import io.hereabouts.resolver.filters.Reply;
import io.hereabouts.resolver.filters.Request;
import io.hereabouts.resolver.filters.Stamp;
import io.hereabouts.resolver.world.MissingEntities;
import io.hereabouts.resolver.world.WorldChange;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time between taking partitions of {@code interests} over and losing them. Feeds the registry and has its decisions
 * done, one after the other, so that they reach Kafka in the order they were made. A write that fails ends it: what is
 * in Kafka is then taken over anew.
 *
 * <p>Thread-safe: inputs come from the consumer's thread, resolutions from workers, late records of others from the
 * thread that follows {@code filters}.
 */
final class Tenure implements FilterReader {

    private static final Logger LOG = LoggerFactory.getLogger(Tenure.class);

    private final FilterRegistry registry;
    private final HeldInterests held;
    private final Frontier frontier;
    private final FilterWriter writer;
    private final Resolving resolving;
    private final Executor workers;
    private final ResolverMetrics metrics;
    private final Ownership ownership;
    private final long leaseNanos;

    private volatile boolean ended;
    private volatile boolean failed;
    private volatile boolean checked;
    private volatile long confirmed = System.nanoTime();

    Tenure(
            FilterRegistry registry,
            HeldInterests held,
            Frontier frontier,
            FilterWriter writer,
            Resolving resolving,
            Executor workers,
            ResolverMetrics metrics,
            Ownership ownership,
            Duration lease) {
        this.registry = registry;
        this.held = held;
        this.frontier = frontier;
        this.writer = writer;
        this.resolving = resolving;
        this.workers = workers;
        this.metrics = metrics;
        this.ownership = ownership;
        this.leaseNanos = lease.toNanos();
    }

    /**
     * Brings {@code filters} in line with what edges hold; before anything else. {@link #check} follows.
     *
     * @param worldVersion that the world had a moment ago, 0 if it cannot be asked
     */
    void begin(long worldVersion) {
        decide(() -> registry.reconcile(held.descriptors(), worldVersion, now()));
    }

    /** References that the world has to be asked for; none once {@link #check} has the answer. */
    synchronized Set<EntityId> references() {
        return registry.references();
    }

    /** The world has said which of the {@link #references} it does not have. */
    void check(MissingEntities missing) {
        decide(() -> registry.checked(missing));
        checked = true;
    }

    /** True if it is known whether the references of what was taken over are in the world. */
    boolean isChecked() {
        return checked;
    }

    /** The version of the world up to which changes have been told. */
    synchronized long seen() {
        return registry.seen();
    }

    /** The world has a new version, later than {@link #seen}. */
    void changed(WorldChange change) {
        decide(() -> {
            long begin = System.nanoTime();
            Reaction reaction = registry.changed(change, now());
            metrics.change(reaction, Duration.ofNanos(System.nanoTime() - begin));
            return reaction.decision();
        });
    }

    /** The next record of {@code interests}. */
    void input(ConsumerRecord<byte[], byte[]> record) {
        Input input = new Input(record.partition(), record.offset());
        frontier.started(input);
        if (record.key() != null && Keys.isProbe(record.key())) {
            frontier.finished(input);
            return;
        }
        try {
            if (record.key() == null) {
                throw new UndecodableException("no key");
            }
            Interest interest = Keys.parseInterest(record.key());
            if (ownership.partitionOf(interest.neighborhood()) != record.partition()) {
                bury(record, input, "misrouted", "the neighborhood belongs to another partition");
            } else if (record.value() == null) {
                leave(interest, input);
            } else {
                InterestRequest request = Framing.decode(record.value(), InterestRequest.class);
                join(new Request(interest, request.getRequestId(), input), request.getDescriptor());
            }
        } catch (UndecodableException e) {
            bury(record, input, "undecodable", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Kafka took a commit of this owner: nobody else can own these partitions before a session timeout after it.
     *
     * @param sent nano time before the commit was sent
     */
    void confirmed(long sent) {
        confirmed = sent;
    }

    /** Time has passed. */
    void tick() {
        decide(() -> registry.due(now()));
        metrics.neighborhoods(neighborhoods(), waitingRefreshes());
    }

    /** No more decisions; those made already are done. */
    synchronized void end() {
        ended = true;
    }

    /** True if nobody else can have taken over. */
    boolean holds() {
        return !ended && !failed && System.nanoTime() - confirmed <= leaseNanos;
    }

    /** True if something could not be written. */
    boolean failed() {
        return failed;
    }

    @Override
    public void slicePut(int partition, NeighborhoodId id, Stamp stamp, int count, int total, long worldVersion) {
        observed(id, () -> registry.observed(partition, id, stamp));
    }

    @Override
    public void sliceGone(int partition, NeighborhoodId id, Stamp stamp) {
        observed(id, () -> registry.observed(partition, id, stamp));
    }

    @Override
    public void interestPut(int partition, Interest interest, Stamp stamp) {
        observed(interest.neighborhood(), () -> registry.observed(partition, interest, stamp));
    }

    @Override
    public void interestGone(int partition, Interest interest, Stamp stamp) {
        observed(interest.neighborhood(), () -> registry.observed(partition, interest, stamp));
    }

    private void observed(NeighborhoodId id, Supplier<Decision> question) {
        if (ownership.owns(id)) {
            decide(question);
        }
    }

    private void join(Request request, String descriptor) {
        NeighborhoodId id = request.interest().neighborhood();
        if (!id.isEverywhere() && !NeighborhoodId.ofCanonical(descriptor).equals(id)) {
            decide(() -> Decision.refused(
                    request,
                    new Refusal(
                            Refusal.IMPLEMENTATION_SPECIFIC,
                            "$: descriptor is not the canonical form of neighborhood " + id)));
            return;
        }
        decide(() -> registry.join(request, descriptor));
    }

    private void leave(Interest interest, Input input) {
        metrics.request("leave");
        if (held.overtook(interest, input.offset())) {
            frontier.finished(input);
        } else {
            decide(() -> registry.leave(interest, input, now()));
        }
    }

    private void bury(ConsumerRecord<byte[], byte[]> record, Input input, String reason, String detail) {
        LOG.warn(
                "record {} of partition {} of {} is {}: {}",
                record.offset(),
                record.partition(),
                record.topic(),
                reason,
                detail);
        metrics.dropped(reason);
        writer.deadLetter(record, reason, detail, () -> frontier.finished(input), this::fail);
    }

    private synchronized void decide(Supplier<Decision> question) {
        if (ended || failed) {
            return;
        }
        if (System.nanoTime() - confirmed > leaseNanos) {
            // this process stood still, or is cut off: somebody else may have taken over
            fail(new IllegalStateException("Kafka has confirmed no commit for longer than the session timeout"));
            return;
        }
        Decision decision = question.get();
        if (decision.isEmpty()) {
            return;
        }
        writer.perform(decision, frontier, this::fail);
        for (Decision.Resolve resolve : decision.resolutions()) {
            try {
                workers.execute(() -> resolve(resolve));
            } catch (RejectedExecutionException e) {
                fail(e);
            }
        }
        for (Reply reply : decision.replies()) {
            metrics.request(reply.outcome());
        }
    }

    private void resolve(Decision.Resolve resolve) {
        if (!ended) {
            NeighborhoodId id = resolve.neighborhood();
            resolving.resolve(
                    resolve,
                    filter -> decide(() -> registry.resolved(id, filter, now())),
                    refusal -> decide(() -> registry.refused(id, refusal, now())));
        }
    }

    /** Something could not be written or read. */
    void fail(Exception why) {
        if (!failed && !ended) {
            LOG.warn("could not write, takes over anew: {}", why.toString());
        }
        failed = true;
    }

    /** How many it knows. */
    synchronized int neighborhoods() {
        return registry.size();
    }

    private synchronized int waitingRefreshes() {
        return registry.waitingRefreshes();
    }

    private static long now() {
        return System.nanoTime() / 1_000_000;
    }
}
