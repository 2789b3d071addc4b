package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.claim.Claims;
import io.hereabouts.bridge.claim.EarlierClaims;
import io.hereabouts.bridge.subscription.BrokerSubscription;
import io.hereabouts.bridge.subscription.Comparison;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.topic.TopicFilter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what the broker has stored with what the edge serves, and repairs what differs. */
public final class SessionComparison {

    private static final Logger LOG = LoggerFactory.getLogger(SessionComparison.class);

    private final Executor loop;
    private final EdgeState state;
    private final DeliveryOutput output;
    private final Claims claims;
    private final EarlierClaims earlier;
    private final EdgeMetrics metrics;
    private final Clock clock;
    /** Changed by one comparison at a time. */
    private final Comparison comparison = new Comparison();

    private boolean underWay;

    /** @param earlier what was claimed when the edge started */
    public SessionComparison(
            Executor loop,
            EdgeState state,
            DeliveryOutput output,
            Claims claims,
            EarlierClaims earlier,
            EdgeMetrics metrics,
            Clock clock) {
        this.claims = claims;
        this.earlier = earlier;
        this.loop = loop;
        this.state = state;
        this.output = output;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** The first time, before a client is let in; done when all that differs is repaired. */
    public CompletionStage<Void> compareAtRest(Broker broker) {
        return broker.subscriptions().thenComposeAsync(stored -> compareAtRest(broker, stored), loop);
    }

    private CompletionStage<Void> compareAtRest(Broker broker, List<BrokerSubscription> stored) {
        Repairs repairs = new Repairs(broker);
        Set<String> clients = stored.stream().map(BrokerSubscription::client).collect(Collectors.toSet());
        clients.stream().filter(earlier::isElsewhere).forEach(repairs::endElsewhere);
        claims.restored(clients, earlier);
        comparison
                .atRest(
                        stored.stream()
                                .filter(s -> !earlier.isElsewhere(s.client()))
                                .toList(),
                        served())
                .forEach(difference -> difference.repair(repairs));
        return CompletableFuture.allOf(repairs.ending.toArray(new CompletableFuture<?>[0]));
    }

    /** From then on, again and again. Called on the edge's thread, which it does not hold up. */
    void compare() {
        Broker broker = output.broker();
        if (broker == null || underWay) {
            return;
        }
        underWay = true;
        Comparison.Served served = served();
        var unused = broker.subscriptions()
                .thenApplyAsync(stored -> comparison.again(stored, served))
                .whenCompleteAsync(
                        (differences, failure) -> {
                            underWay = false;
                            if (failure == null) {
                                repair(broker, differences);
                            } else {
                                LOG.warn("HiveMQ does not say what is subscribed: {}", failure.toString());
                            }
                        },
                        loop);
    }

    private Comparison.Served served() {
        Map<String, Set<TopicFilter>> told = state.statuses().told();
        return new Comparison.Served(
                state.subscriptions().table().all(),
                (client, filter) -> told.getOrDefault(client, Set.of()).contains(filter));
    }

    private void repair(Broker broker, List<Comparison.Difference> differences) {
        Repairs repairs = new Repairs(broker);
        differences.forEach(difference -> difference.repair(repairs));
    }

    /** Whose the client id was when the edge started; empty: nobody knows, or whoever comes may have it. Any thread may ask. */
    public Optional<String> userBefore(String client) {
        return Optional.ofNullable(earlier.user(client));
    }

    private final class Repairs implements Comparison.Repairs {
        private final Broker broker;
        /** Sessions that the broker is ending. */
        private final List<CompletableFuture<?>> ending = new ArrayList<>();

        Repairs(Broker broker) {
            this.broker = broker;
        }

        /** It was connected to another edge while this one was down. */
        void endElsewhere(String client) {
            end("elsewhere", client);
        }

        @Override
        public void endSession(String client, String brokerFilter) {
            if (state.subscriptions().table().ofClient(client).stream()
                    .anyMatch(s -> s.brokerFilter().equals(brokerFilter))) {
                return;
            }
            end("unremembered", client);
            claims.sessionEnded(client);
        }

        private void end(String kind, String client) {
            repaired(kind, client);
            ending.add(broker.endSession(client)
                    .handle((ended, failure) -> {
                        if (failure != null) {
                            LOG.warn("HiveMQ does not end the session of {}: {}", client, failure.toString());
                        }
                        return failure == null;
                    })
                    .toCompletableFuture());
            state.sessionEnded(client, clock.millis());
        }

        @Override
        public void serve(Subscription plain) {
            if (state.subscriptions().table().get(plain.key()) != null) {
                return;
            }
            repaired("unserved", plain.client());
            state.addPlain(plain, clock.millis());
        }

        @Override
        public void tell(String client, TopicFilter statuses) {
            repaired("untold", client);
            state.statuses().stored(client, statuses);
        }

        @Override
        public void forget(Subscription subscription) {
            if (!subscription.equals(state.subscriptions().table().get(subscription.key()))) {
                return;
            }
            repaired("unstored", subscription.client());
            state.subscriptions().remove(List.of(subscription.key()));
        }

        private void repaired(String kind, String client) {
            metrics.repaired(kind);
            LOG.info("repaired what client {} has subscribed: {}", client, kind);
        }
    }
}
