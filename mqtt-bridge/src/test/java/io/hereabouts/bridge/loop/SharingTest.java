package io.hereabouts.bridge.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Copy;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.delivery.SilentOutput;
import io.hereabouts.bridge.kafka.HandingOn;
import io.hereabouts.bridge.subscription.AppliedPositions;
import io.hereabouts.bridge.subscription.Subscribing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.record.Framing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharingTest {

    private static final long RESTORED = 1_000;
    private static final long LATER = 1_000_000;
    private static final Publication PUBLICATION = new Publication(
            "a", "id", "p", "e", 1, false, 0L, null, null, null, null, null, List.of(), ByteBuffer.allocate(3));
    private static final byte[] FRAMED = Framing.encode(PUBLICATION);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final EdgeMetrics metrics = new EdgeMetrics(meters);
    private final Subscriptions subscriptions =
            new Subscriptions(EdgeId.of("here"), new NoEffects(), new AppliedPositions(), List.of(1), 1_000, 0);
    private final List<String> offered = new ArrayList<>();
    private final List<HandedOn> handedOn = new ArrayList<>();
    private final Set<String> connected = new HashSet<>();
    private final DeliveryOutput output = new DeliveryOutput(Runnable::run, metrics, Clock.systemUTC(), false);
    private final Sharing sharing = new Sharing(
            EdgeId.of("here"),
            RESTORED,
            subscriptions,
            new ClientDeliveries(new Offers(), new ClientDeliveries.Bounds(10, 10, 10_000, false), 0),
            connected::contains,
            new HandingOn(
                    (qos, entity, publication, header) -> {
                        assertThat(qos).isEqualTo(1);
                        assertThat(entity.value()).isEqualTo("entity");
                        assertThat(publication).isEqualTo(FRAMED);
                        handedOn.add(header);
                        return CompletableFuture.completedFuture(null);
                    },
                    Runnable::run),
            output,
            metrics);

    private static final class NoEffects implements Subscriptions.Effects {
        @Override
        public void requestInterest(Interest interest, String descriptor, long requestId) {}

        @Override
        public void withdrawInterest(Interest interest) {}

        @Override
        public void storeRow(Subscription subscription, Runnable stored) {}

        @Override
        public void dropRow(Subscription.Key key) {}
    }

    private final class Offers extends SilentOutput {
        @Override
        public void send(Outgoing message, long token) {
            offered.add(message.copy().client());
        }
    }

    private static Subscription member(String client) {
        return new Subscription(
                client,
                TopicFilter.parse("a"),
                new ShareName("g"),
                "n",
                NeighborhoodId.ofCanonical("n"),
                "{}",
                new Subscription.Options(1, false, false, 0, null));
    }

    private static Outgoing copyFor(Subscription member, int times) {
        return new Outgoing(
                new Copy(member.client(), 1, List.of("n"), List.of(), member),
                "entity",
                PUBLICATION,
                Long.MAX_VALUE,
                100,
                false,
                times);
    }

    private List<Long> deliver(int times, long now) {
        long group = member("any").handle();
        return sharing.handOn(List.of(7L, group), "entity", PUBLICATION, FRAMED, times, now);
    }

    private static final List<Long> BOTH = List.of(7L, member("any").handle());

    @Test
    void shouldHandOnWhatIsForAGroupThatHasNobodyHereYet() {
        Subscribing subscribing = subscriptions.begin(member("c"), 0, 1_000, new Subscribing.Outcome() {
            @Override
            public void ready() {}

            @Override
            public void refused(int reasonCode, String reason) {}
        });
        assertThat(deliver(0, LATER)).containsExactly(7L);
        subscriptions.abort(subscribing, "gone");
        assertThat(deliver(3, LATER)).containsExactly(7L);
        assertThat(handedOn)
                .extracting(HandedOn::times)
                .as("each time once more")
                .containsExactly(1, 4);
        assertThat(handedOn)
                .extracting(HandedOn::tried)
                .containsOnly(member("c").interest(EdgeId.of("here")));
        assertThat(sharing.handedOnAt()).isEqualTo(LATER);
    }

    @Test
    void shouldHandOnWhatIsForAGroupOfAnEarlierRun() {
        assertThat(deliver(0, LATER)).as("nobody knows of a group").isEqualTo(BOTH);
        subscriptions.groups().note(member("c").group());
        assertThat(deliver(0, LATER)).containsExactly(7L);
        assertThat(handedOn).hasSize(1);
    }

    @Test
    void shouldGiveUpAfterSomeTimes() {
        subscriptions.restore(member("c"), 0);
        subscriptions.clientGone("c");
        assertThat(deliver(HandedOn.MOST, LATER)).containsExactly(7L);
        assertThat(handedOn).isEmpty();
        assertThat(meters.counter("hereabouts.edge.dropped", "reason", "group_gone", "qos", "1")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldHandOnOnceWhatIsForMembersThatAreAway() {
        subscriptions.restore(member("c"), 0);
        assertThat(deliver(0, RESTORED + 29_000))
                .as("they may be on their way back")
                .isEqualTo(BOTH);
        assertThat(deliver(0, LATER)).containsExactly(7L);
        assertThat(deliver(1, LATER)).as("nobody else has it").isEqualTo(BOTH);
        connected.add("c");
        assertThat(deliver(0, LATER)).isEqualTo(BOTH);
        assertThat(handedOn).hasSize(1);
    }

    @Test
    void shouldGiveWhatOneDidNotAcknowledgeToAnotherHere() {
        subscriptions.restore(member("c"), 0);
        subscriptions.restore(member("d"), 0);
        connected.add("d");
        subscriptions.clientGone("c");
        sharing.left(copyFor(member("c"), 2), ClientDeliveries.SESSION_ENDED, LATER);
        assertThat(offered).containsExactly("d");
        assertThat(handedOn).isEmpty();
    }

    @Test
    void shouldHandOnWhatOneDidNotAcknowledgeIfNobodyElseIsConnected() {
        subscriptions.restore(member("c"), 0);
        subscriptions.restore(member("d"), 0);
        subscriptions.clientGone("c");
        sharing.left(copyFor(member("c"), 2), ClientDeliveries.SESSION_ENDED, LATER);
        sharing.left(copyFor(member("c"), HandedOn.MOST), ClientDeliveries.SESSION_ENDED, LATER);
        assertThat(offered).isEmpty();
        assertThat(handedOn).extracting(HandedOn::times).containsExactly(3);
        assertThat(meters.counter("hereabouts.edge.dropped", "reason", "session_ended", "qos", "1")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldLetTheRouterDecideWhereTheBrokerDidNotTakeIt() {
        subscriptions.restore(member("c"), 0);
        connected.add("c");
        sharing.left(copyFor(member("c"), 0), ClientDeliveries.NOT_SUBSCRIBED, LATER);
        assertThat(offered).isEmpty();
        assertThat(handedOn).hasSize(1);
    }
}
