package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.async.TimeoutFallback;
import com.hivemq.extension.sdk.api.auth.SubscriptionAuthorizer;
import com.hivemq.extension.sdk.api.auth.parameter.SubscriptionAuthorizerInput;
import com.hivemq.extension.sdk.api.auth.parameter.SubscriptionAuthorizerOutput;
import com.hivemq.extension.sdk.api.interceptor.suback.SubackOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.suback.parameter.SubackOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.suback.parameter.SubackOutboundOutput;
import com.hivemq.extension.sdk.api.interceptor.subscribe.SubscribeInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.subscribe.parameter.SubscribeInboundInput;
import com.hivemq.extension.sdk.api.interceptor.subscribe.parameter.SubscribeInboundOutput;
import com.hivemq.extension.sdk.api.packets.subscribe.ModifiableSubscription;
import com.hivemq.extension.sdk.api.packets.subscribe.RetainHandling;
import com.hivemq.extension.sdk.api.packets.subscribe.SubackReasonCode;
import io.hereabouts.bridge.hivemq.Connection.Asked;
import io.hereabouts.bridge.hivemq.Connection.Verdict;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.hereabouts.bridge.subscription.Subscribing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.topic.TopicFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's SUBSCRIBE: the inbound step decides what is asked, rewrites neighborhood subscriptions to hidden topic
 * filters and sets everything going; the authorizer, the only place where a reason code and a reason string are
 * possible, holds each topic filter until it is active; the step on the outgoing SUBACK, when HiveMQ has stored the
 * subscriptions, lets the edge serve them.
 */
final class SubscribeGate implements SubscribeInboundInterceptor, SubscriptionAuthorizer, SubackOutboundInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(SubscribeGate.class);
    private static final int NOT_AUTHORIZED = 0x87;
    private static final Duration SLACK = Duration.ofSeconds(10);
    /** Characters of up to three bytes, and what HiveMQ puts between them. */
    private static final int MAX_REASONS = 20_000;

    private final Bridge bridge;
    private final Connection connection;
    private final SubscribeRules rules;

    SubscribeGate(Bridge bridge, Connection connection, Permissions permissions) {
        this.bridge = bridge;
        this.connection = connection;
        this.rules = new SubscribeRules(
                bridge.names(),
                bridge.descriptors(),
                connection.client,
                permissions::maySubscribe,
                (filter, neighborhood) -> bridge.access().isEmpty()
                        || connection
                                .rights()
                                .map(rights -> rights.maySubscribe(filter, neighborhood))
                                .orElse(false));
    }

    @Override
    public void onInboundSubscribe(SubscribeInboundInput input, SubscribeInboundOutput output) {
        List<Asked> asked = new ArrayList<>();
        try {
            List<SubscribeRules.Decision> decisions = rules.decide(input.getSubscribePacket());
            List<ModifiableSubscription> filters = output.getSubscribePacket().getSubscriptions();
            for (int i = 0; i < filters.size(); i++) {
                asked.add(ask(decisions.get(i), filters.get(i)));
            }
        } catch (RuntimeException e) {
            LOG.error("SUBSCRIBE of {} failed", connection.client, e);
            asked.forEach(a -> a.verdict.complete(new Verdict(0x80, "internal error")));
            asked.clear();
            output.getSubscribePacket()
                    .getSubscriptions()
                    .forEach(s -> asked.add(Asked.decided(0x80, "internal error")));
        }
        // HiveMQ puts all of them into one reason string of 65,535 bytes at most
        int characters = MAX_REASONS / Math.max(1, asked.size());
        asked.forEach(a -> a.maxReason = characters);
        connection.ask(asked);
    }

    private Asked ask(SubscribeRules.Decision decision, ModifiableSubscription filter) {
        if (decision instanceof SubscribeRules.Refuse refused) {
            bridge.metrics().refused("subscribe", refused.reason());
            if (refused.code() == NOT_AUTHORIZED) {
                bridge.audit()
                        .denied(
                                "subscribe",
                                connection.client,
                                connection.user(),
                                connection.address,
                                refused.reason(),
                                refused.text());
            }
            return Asked.decided(refused.code(), refused.text());
        }
        if (decision instanceof SubscribeRules.Neighborhood neighborhood) {
            Subscription wanted = neighborhood.wanted();
            filter.setTopicFilter(wanted.brokerFilter());
            filter.setRetainHandling(RetainHandling.DO_NOT_SEND);
            return begin(wanted);
        }
        if (decision instanceof SubscribeRules.Status status) {
            return want(status.filter());
        }
        Asked asked = Asked.decided(0, "");
        if (decision instanceof SubscribeRules.Plain plain) {
            asked.plain = plain.wanted();
        } else if (decision instanceof SubscribeRules.Unserved unserved) {
            bridge.metrics().unserved(unserved.reason());
        }
        return asked;
    }

    private Asked want(TopicFilter filter) {
        Asked asked = new Asked();
        asked.status = filter;
        bridge.loop().execute(() -> {
            if (bridge.state().statuses().want(connection.client, filter)) {
                asked.verdict.complete(Verdict.GRANTED);
            } else {
                bridge.metrics().refused("subscribe", "many_status_filters");
                asked.verdict.complete(new Verdict(
                        Subscriptions.QUOTA_EXCEEDED,
                        filter.value() + ": a client has at most " + StatusBoard.MAX_FILTERS + " topic filters below "
                                + HiddenTopics.STATUS));
            }
        });
        return asked;
    }

    private Asked begin(Subscription wanted) {
        Asked asked = new Asked();
        asked.wantsNeighborhood = true;
        Subscribing.Outcome outcome = new Subscribing.Outcome() {
            @Override
            public void ready() {
                asked.verdict.complete(Verdict.GRANTED);
            }

            @Override
            public void refused(int reasonCode, String reason) {
                bridge.metrics().refused("subscribe", reasonCode == 0x97 ? "not_active" : "resolver");
                asked.verdict.complete(new Verdict(reasonCode, reason));
            }
        };
        long timeout = timeout().toMillis();
        bridge.loop()
                .execute(() -> asked.subscribing = bridge.state()
                        .subscriptions()
                        .begin(wanted, bridge.clock().millis(), timeout, outcome));
        return asked;
    }

    /** While a SUBSCRIBE is pending HiveMQ does not read the client: its keep-alive must not run out meanwhile. */
    private Duration timeout() {
        Duration configured = bridge.subscribeTimeout();
        Duration half = Duration.ofMillis(connection.keepAliveSeconds * 500L);
        return half.isZero() || half.compareTo(configured) > 0 ? configured : half;
    }

    @Override
    public void authorizeSubscribe(SubscriptionAuthorizerInput input, SubscriptionAuthorizerOutput output) {
        Asked asked = connection.nextToAuthorize();
        if (asked == null) {
            output.failAuthorization(SubackReasonCode.UNSPECIFIED_ERROR, "internal error");
        } else if (asked.verdict.isDone()) {
            answer(asked, asked.verdict.join(), output);
        } else {
            hold(asked, output.async(timeout().plus(SLACK), TimeoutFallback.FAILURE));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a verdict never fails
    private static void hold(Asked asked, Async<SubscriptionAuthorizerOutput> held) {
        asked.verdict.whenComplete((verdict, failure) -> {
            answer(asked, verdict, held.getOutput());
            held.resume();
        });
    }

    private static void answer(Asked asked, Verdict verdict, SubscriptionAuthorizerOutput output) {
        if (verdict.reasonCode() == 0) {
            output.authorizeSuccessfully();
        } else {
            String reason = verdict.reason();
            output.failAuthorization(
                    ReasonCodes.suback(verdict.reasonCode()),
                    reason.substring(0, Math.min(reason.length(), asked.maxReason)));
        }
    }

    @Override
    public void onOutboundSuback(SubackOutboundInput input, SubackOutboundOutput output) {
        List<Asked> asked = connection.answered();
        if (asked.stream().noneMatch(a -> a.plain != null || a.status != null || a.wantsNeighborhood)) {
            return;
        }
        List<SubackReasonCode> codes = input.getSubackPacket().getReasonCodes();
        Async<SubackOutboundOutput> held = output.async(SLACK);
        bridge.loop().execute(() -> {
            try {
                for (int i = 0; i < asked.size(); i++) {
                    stored(asked.get(i), i < codes.size() ? codes.get(i) : SubackReasonCode.UNSPECIFIED_ERROR);
                }
            } finally {
                held.resume();
            }
        });
    }

    private void stored(Asked asked, SubackReasonCode code) {
        boolean granted = code == SubackReasonCode.GRANTED_QOS_0
                || code == SubackReasonCode.GRANTED_QOS_1
                || code == SubackReasonCode.GRANTED_QOS_2;
        Subscribing subscribing = asked.subscribing;
        Subscription plain = asked.plain;
        TopicFilter status = asked.status;
        if (subscribing != null && granted) {
            bridge.state().commit(subscribing);
        } else if (subscribing != null) {
            bridge.state().subscriptions().abort(subscribing, "HiveMQ answered " + code);
        } else if (plain != null && granted) {
            bridge.state().addPlain(plain, bridge.clock().millis());
        } else if (status != null && granted) {
            bridge.state().statuses().stored(connection.client, status);
        }
    }
}
