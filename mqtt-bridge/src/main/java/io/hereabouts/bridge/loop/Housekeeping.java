package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.kafka.Lease;
import io.hereabouts.bridge.kafka.LeaseWatch;
import io.hereabouts.bridge.kafka.SubscriptionEffects;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an edge does of itself: repeat, refuse what took too long, find clients that have left without HiveMQ saying so,
 * keep the lease; and leave Kafka tidy when it stops.
 */
public final class Housekeeping implements AutoCloseable {

    private static final Duration SWEEP = Duration.ofSeconds(2);
    /** Clients who are away that are looked up in one sweep. */
    private static final int AT_A_TIME = 1_000;

    private static final Duration TIDY = Duration.ofSeconds(5);

    private final EdgeLoop loop;
    private final EdgeState state;
    private final SubscriptionEffects effects;
    private final ClientRecords clients;
    private final Lease lease;
    private final LeaseWatch watch;
    private final GenerationChange generations;
    private final DeliveryOutput output;
    private final Clock clock;
    private final Duration retry;
    private final boolean keepsSessions;
    private final SessionComparison comparison;
    private final Duration compare;
    private int lookedAt;

    /**
     * @param keepsSessions whether what clients have subscribed is to be there when the edge starts again
     * @param compare twice that is how long a difference stays that a crash has left
     */
    public Housekeeping(
            EdgeLoop loop,
            EdgeState state,
            SubscriptionEffects effects,
            ClientRecords clients,
            Lease lease,
            LeaseWatch watch,
            GenerationChange generations,
            DeliveryOutput output,
            Clock clock,
            Duration retry,
            boolean keepsSessions,
            SessionComparison comparison,
            Duration compare) {
        this.compare = compare;
        this.keepsSessions = keepsSessions;
        this.comparison = comparison;
        this.loop = loop;
        this.state = state;
        this.effects = effects;
        this.clients = clients;
        this.lease = lease;
        this.watch = watch;
        this.generations = generations;
        this.output = output;
        this.clock = clock;
        this.retry = retry;
    }

    /** Begins. */
    public void start(Duration tick, Duration heartbeat) {
        loop.execute(lease::renew);
        loop.every(heartbeat, lease::renew);
        loop.every(tick, () -> {
            state.subscriptions().tick(clock.millis());
            state.deliveries().tick(clock.millis());
            state.handOnAgain();
            clients.tick(clock.millis());
            generations.tick();
            findLeaversWhoAreAsking();
        });
        loop.every(retry, () -> {
            effects.retry();
            clients.retry(clock.millis());
            lease.retry();
        });
        loop.every(compare, comparison::compare);
        loop.every(SWEEP, () -> {
            findEndedSessions();
            state.measure();
        });
    }

    /** HiveMQ reports the end of a connection only after the SUBSCRIBE that is pending on it. */
    private void findLeaversWhoAreAsking() {
        Broker broker = output.broker();
        if (broker != null) {
            ask(state.subscriptions().pendingClients(), broker::isConnected, client -> state.subscriptions()
                    .abortAllOf(client));
        }
    }

    /** HiveMQ does not report the end of a session at all. */
    private void findEndedSessions() {
        Broker broker = output.broker();
        if (broker != null) {
            Set<String> away = new LinkedHashSet<>(state.offlineSubscribers());
            away.addAll(clients.claims().away());
            List<String> some = nextOf(List.copyOf(away));
            // HiveMQ looks into its store at once, which the edge's thread must not wait for
            var unused = CompletableFuture.runAsync(() -> ask(some, broker::hasSession, client -> {
                if (!state.isConnected(client)) {
                    state.sessionEnded(client, clock.millis());
                    clients.claims().sessionEnded(client);
                }
            }));
            ask(clients.wills().waiting(), broker::hasSession, clients.wills()::sessionEnded);
        }
    }

    /** Not all at a time where there are many. */
    private List<String> nextOf(List<String> away) {
        if (away.size() <= AT_A_TIME) {
            return away;
        }
        lookedAt = lookedAt >= away.size() ? 0 : lookedAt;
        int end = Math.min(away.size(), lookedAt + AT_A_TIME);
        List<String> some = away.subList(lookedAt, end);
        lookedAt = end;
        return some;
    }

    private void ask(
            Iterable<String> clients, Function<String, CompletionStage<Boolean>> question, Consumer<String> ifNot) {
        for (String client : clients) {
            question.apply(client).whenComplete((yes, failure) -> {
                if (failure == null && !yes) {
                    loop.execute(() -> ifNot.accept(client));
                }
            });
        }
    }

    /**
     * Publishes the wills, withdraws what does not outlive the edge, and waits, for a while, until Kafka has it. Where sessions
     * are kept the lease stays, so that what comes meanwhile is kept for {@code edge.expiry}; else it ends last: what is left
     * while there is one is found by a resolver.
     */
    @Override
    public void close() {
        // first: it would take the end of the lease for a loss
        watch.close();
        loop.execute(() -> {
            state.subscriptions().hold(Set.of(), clock.millis());
            if (keepsSessions) {
                state.subscriptions().abortAll();
            } else {
                List.copyOf(state.subscriptions().table().clients())
                        .forEach(client -> state.sessionEnded(client, clock.millis()));
            }
            clients.end(keepsSessions);
        });
        long end = System.nanoTime() + TIDY.toNanos();
        try {
            if (await(() -> effects.unstored() == 0 && clients.areStored(), end) && !keepsSessions) {
                loop.execute(lease::end);
                await(lease::isStored, end);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @param end by {@link System#nanoTime} */
    private boolean await(Supplier<Boolean> condition, long end) throws InterruptedException {
        while (!CompletableFuture.supplyAsync(condition, loop).join()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return true;
    }
}
