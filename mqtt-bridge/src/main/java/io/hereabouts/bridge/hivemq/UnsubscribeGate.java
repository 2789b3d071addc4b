package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.interceptor.unsubscribe.UnsubscribeInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.unsubscribe.parameter.UnsubscribeInboundInput;
import com.hivemq.extension.sdk.api.interceptor.unsubscribe.parameter.UnsubscribeInboundOutput;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.hereabouts.bridge.subscription.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One client's UNSUBSCRIBE. HiveMQ answers a reason code for each topic filter in the packet, so their number stays: each
 * is replaced by one hidden topic filter, and what there is beyond that is removed from HiveMQ's store directly.
 */
final class UnsubscribeGate implements UnsubscribeInboundInterceptor {

    private static final Duration SLACK = Duration.ofSeconds(10);

    private final Bridge bridge;
    private final BrokerServices broker;
    private final Connection connection;

    UnsubscribeGate(Bridge bridge, BrokerServices broker, Connection connection) {
        this.bridge = bridge;
        this.broker = broker;
        this.connection = connection;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are handled
    public void onInboundUnsubscribe(UnsubscribeInboundInput input, UnsubscribeInboundOutput output) {
        List<String> filters = input.getUnsubscribePacket().getTopicFilters();
        List<String> ids = input.getUnsubscribePacket()
                .getUserProperties()
                .getAllForName(bridge.names().neighborhoodId());
        List<String> rewritten = rewrite(filters, ids);
        if (!rewritten.equals(filters)) {
            output.getUnsubscribePacket().setTopicFilters(rewritten);
        }
        Async<UnsubscribeInboundOutput> held = output.async(SLACK, TimeoutFallback.SUCCESS);
        CompletableFuture.supplyAsync(() -> remove(filters, ids), bridge.loop())
                .thenCompose(removed -> removeHidden(removed, rewritten))
                .whenComplete((ok, failure) -> held.resume());
    }

    private List<String> rewrite(List<String> filters, List<String> ids) {
        List<String> rewritten = new ArrayList<>(filters.size());
        for (int i = 0; i < filters.size(); i++) {
            String filter = filters.get(i);
            if (HiddenTopics.isHidden(filter)) {
                rewritten.add(HiddenTopics.nothing(i));
            } else {
                rewritten.add(
                        ids.isEmpty() || HiddenTopics.isStatus(filter)
                                ? filter
                                : HiddenTopics.hideSubscribed(connection.client, ids.get(0), filter));
            }
        }
        return rewritten;
    }

    private List<Subscription> remove(List<String> filters, List<String> ids) {
        Set<Subscription.Key> keys = new LinkedHashSet<>();
        for (String filter : filters) {
            if (HiddenTopics.isStatus(filter)) {
                bridge.state().statuses().unwant(connection.client, filter);
            }
            bridge.state().onFilter(connection.client, filter, ids).forEach(s -> keys.add(s.key()));
        }
        return bridge.state().subscriptions().remove(keys);
    }

    private CompletionStage<Void> removeHidden(List<Subscription> removed, List<String> inPacket) {
        Set<String> hidden = new LinkedHashSet<>();
        for (Subscription subscription : removed) {
            if (!subscription.isPlain()) {
                hidden.add(subscription.brokerFilter());
            }
        }
        inPacket.forEach(hidden::remove);
        return hidden.isEmpty()
                ? CompletableFuture.completedStage(null)
                : broker.removeSubscriptions(connection.client, hidden);
    }
}
