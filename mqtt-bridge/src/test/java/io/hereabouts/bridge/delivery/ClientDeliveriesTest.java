package io.hereabouts.bridge.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.avro.Publication;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClientDeliveriesTest {

    private static final int WINDOW = 3;
    private static final long MAX_BYTES = 1_000;
    private static final long ANY_SIZE = 268_435_460L;

    private final List<Long> sent = new ArrayList<>();
    private final List<Long> handedOver = new ArrayList<>();
    private final List<Outgoing> leftMessages = new ArrayList<>();
    private final List<String> left = new ArrayList<>();
    private final List<String> overflowed = new ArrayList<>();
    private final Map<String, Integer> counted = new HashMap<>();
    private final ClientDeliveries.Output output = new ClientDeliveries.Output() {
        @Override
        public void send(Outgoing message, long token) {
            sent.add(token);
        }

        @Override
        public void handedOver(Outgoing message, long now) {
            handedOver.add(now);
        }

        @Override
        public void delivered(int qos) {
            counted.merge("delivered " + qos, 1, Integer::sum);
        }

        @Override
        public void overflowed(String client) {
            overflowed.add(client);
        }

        @Override
        public void left(Outgoing message, String reason, long now) {
            left.add(reason + " " + message.copy().qos());
            leftMessages.add(message);
        }

        @Override
        public void dropped(Outgoing message, String reason) {
            counted.merge(reason + " " + message.copy().qos(), 1, Integer::sum);
        }
    };
    private final ClientDeliveries deliveries = deliveries(false);

    private ClientDeliveries deliveries(boolean brokerKeepsSessions) {
        return new ClientDeliveries(
                output, new ClientDeliveries.Bounds(WINDOW, 2 * WINDOW, MAX_BYTES, brokerKeepsSessions), 0);
    }

    private static Outgoing message(int qos, long expiresAt) {
        Subscription via =
                Subscription.plain("c", TopicFilter.parse("a"), new Subscription.Options(1, false, false, 0, null));
        Publication publication = new Publication(
                "a", "id", "p", "e", qos, false, 0L, null, null, null, null, null, List.of(), ByteBuffer.allocate(10));
        return new Outgoing(new Copy("c", qos, List.of(), List.of(), via), "e", publication, expiresAt, 100);
    }

    private static Outgoing shared(int qos) {
        Subscription via = new Subscription(
                "c",
                TopicFilter.parse("a"),
                new ShareName("g"),
                "n",
                NeighborhoodId.ofCanonical("n"),
                "",
                new Subscription.Options(2, false, false, 0, null));
        Outgoing message = message(qos, Long.MAX_VALUE);
        return message.to(new Copy("c", qos, List.of(), List.of(), via));
    }

    @Test
    void shouldLeaveToOtherMembersWhatOneDidNotAcknowledge() {
        deliveries.connected("c", ANY_SIZE, 0);
        deliveries.offer(shared(2), 0);
        deliveries.offer(shared(2), 0);
        deliveries.offer(shared(1), 0);
        deliveries.offer(shared(1), 0);
        deliveries.offer(message(1, Long.MAX_VALUE), 0);
        deliveries.offer(shared(0), 0);
        deliveries.written("c", 2, 1, 0);
        deliveries.written("c", 2, 2, 0);
        deliveries.acknowledged("c", 1, 0);
        deliveries.written("c", 1, 3, 0);

        deliveries.sessionEnded("c", 0);

        assertThat(left)
                .as("what was written at QoS 2 is nobody else's")
                .containsExactly("session_ended 1", "session_ended 1");
        assertThat(counted)
                .isEqualTo(Map.of("delivered 2", 1, "session_ended 2", 1, "session_ended 1", 1, "session_ended 0", 1));
    }

    @Test
    void shouldLeaveToOtherMembersWhatTheBrokerDoesNotTake() {
        deliveries.connected("c", ANY_SIZE, 0);
        deliveries.offer(shared(1), 0);
        deliveries.notTaken("c", 1, 1, 0);
        assertThat(left).containsExactly("not_subscribed 1");
        assertThat(counted).isEmpty();
    }

    @Test
    void shouldNotForgetWhatAnotherMemberMayWantWhileTheBrokerHasIt() {
        ClientDeliveries keeping = deliveries(true);
        keeping.connected("c", ANY_SIZE, 0);
        keeping.offer(shared(1), 0);
        keeping.sessionEnded("c", 0);
        assertThat(leftMessages).singleElement().satisfies(message -> {
            assertThat(message.entity()).isEqualTo("e");
            assertThat(message.publication().getPayload().remaining()).isEqualTo(10);
        });
    }

    private void offer(int count, int qos) {
        for (int i = 0; i < count; i++) {
            deliveries.offer(message(qos, Long.MAX_VALUE), 0);
        }
    }

    @Test
    void shouldKeepTheWindowAndBoundWhatWaits() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(20, 1);
        assertThat(sent).containsExactly(1L, 2L, 3L);
        assertThat(deliveries.waitingBytes()).isEqualTo(MAX_BYTES);
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 7));
        deliveries.acknowledged("c", 2, 0);
        assertThat(sent).containsExactly(1L, 2L, 3L, 4L);
        deliveries.acknowledged("c", 2, 0);
        assertThat(sent).hasSize(4);
        for (long token = 1; token <= 13; token++) {
            deliveries.acknowledged("c", token, 0);
        }
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 7, "delivered 1", 13));
    }

    @Test
    void shouldSayOnceThatAClientDoesNotKeepUp() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(30, 1);
        assertThat(overflowed).containsExactly("c");
        deliveries.disconnected("c");
        deliveries.connected("c", ANY_SIZE, 0);
        offer(30, 1);
        assertThat(overflowed).as("it had no time to read what had filled up").containsExactly("c");
        for (long token = 1; token <= 13; token++) {
            deliveries.acknowledged("c", token, 0);
        }
        offer(30, 1);
        assertThat(overflowed).containsExactly("c", "c");
    }

    @Test
    void shouldSayNothingOfClientsThatAreAway() {
        offer(30, 1);
        assertThat(overflowed).isEmpty();
    }

    @Test
    void shouldCountEachQosByItself() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(1, 2);
        offer(3, 1);
        offer(1, 2);
        assertThat(sent).as("one window").hasSize(3);
        deliveries.written("c", 2, 1, 0);
        deliveries.acknowledged("c", 1, 0);
        deliveries.written("c", 1, 3, 0);
        deliveries.sessionEnded("c", 0);
        assertThat(counted)
                .isEqualTo(Map.of("delivered 2", 1, "broker_queue 1", 1, "session_ended 1", 2, "session_ended 2", 1));
    }

    @Test
    void shouldCountWhatTheBrokerPassedOver() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(3, 1);
        deliveries.written("c", 1, 1, 10);
        deliveries.written("c", 1, 3, 30);
        assertThat(counted).isEqualTo(Map.of("broker_queue 1", 1));
        deliveries.written("c", 1, 1, 40);
        assertThat(handedOver).containsExactly(10L, 30L);
        deliveries.acknowledged("c", 1, 0);
        deliveries.acknowledged("c", 2, 0);
        deliveries.acknowledged("c", 3, 0);
        assertThat(counted).isEqualTo(Map.of("broker_queue 1", 1, "delivered 1", 2));
    }

    @Test
    void shouldFindOutThatTheBrokerDroppedTheWholeWindow() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(5, 1);
        deliveries.tick(4_999);
        assertThat(sent).hasSize(3);
        deliveries.tick(5_000);
        assertThat(sent).containsExactly(1L, 2L, 3L, 4L);
        deliveries.written("c", 1, 4, 5_001);
        assertThat(counted).isEqualTo(Map.of("broker_queue 1", 3));
        assertThat(sent).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void shouldLetNothingOfASessionThatIsKeptWaitHere() {
        ClientDeliveries kept = deliveries(true);
        for (int i = 0; i < 20; i++) {
            kept.offer(message(1, Long.MAX_VALUE), 0);
        }
        assertThat(sent).hasSize(2 * WINDOW);
        assertThat(kept.waitingBytes()).isZero();
        assertThat(kept.inFlight()).isEqualTo(2 * WINDOW);
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 14));
        kept.connected("c", ANY_SIZE, 0);
        kept.written("c", 1, 1, 0);
        kept.acknowledged("c", 1, 0);
        kept.offer(message(1, Long.MAX_VALUE), 0);
        assertThat(sent).hasSize(2 * WINDOW + 1);
    }

    @Test
    void shouldFindOutThatTheBrokerHadNoRoomForAnyOfIt() {
        ClientDeliveries kept = deliveries(true);
        kept.connected("c", ANY_SIZE, 0);
        for (int i = 0; i < 2 * WINDOW; i++) {
            kept.offer(message(1, Long.MAX_VALUE), 0);
        }
        kept.offer(message(1, Long.MAX_VALUE), 4_999);
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 1));
        kept.tick(5_000);
        kept.offer(message(1, Long.MAX_VALUE), 5_001);
        kept.offer(message(1, Long.MAX_VALUE), 5_002);
        assertThat(sent).hasSize(2 * WINDOW + 1);
        kept.written("c", 1, 2 * WINDOW + 1, 5_003);
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 2, "broker_queue 1", 2 * WINDOW));
        kept.offer(message(1, Long.MAX_VALUE), 5_004);
        assertThat(sent).hasSize(2 * WINDOW + 2);
    }

    @Test
    void shouldBoundTheBytesOfASessionThatIsKept() {
        ClientDeliveries kept =
                new ClientDeliveries(output, new ClientDeliveries.Bounds(WINDOW, 1_000, MAX_BYTES, true), 40);
        for (int i = 0; i < 20; i++) {
            kept.offer(message(1, Long.MAX_VALUE), 0);
        }
        assertThat(sent).hasSize(10).startsWith(41L);
        assertThat(counted).isEqualTo(Map.of("client_queue_full 1", 10));
    }

    @Test
    void shouldDropQos0ForWhoIsOfflineAndKeepQos1() {
        deliveries.connected("c", ANY_SIZE, 0);
        offer(2, 0);
        deliveries.written("c", 0, 1, 0);
        deliveries.disconnected("c");
        offer(1, 0);
        offer(1, 1);
        assertThat(counted).isEqualTo(Map.of("delivered 0", 1, "offline 0", 2));
        deliveries.sessionEnded("c", 0);
        assertThat(counted).containsEntry("session_ended 1", 1);
    }

    @Test
    void shouldDropWhatExpiredOrIsTooLargeOrHasNoSubscription() {
        deliveries.connected("c", 50, 0);
        offer(1, 1);
        deliveries.connected("c", ANY_SIZE, 0);
        deliveries.offer(message(1, 10), 10);
        offer(1, 1);
        deliveries.notTaken("c", 1, sent.get(0), 0);
        assertThat(counted).isEqualTo(Map.of("packet_too_large 1", 1, "expired 1", 1, "not_subscribed 1", 1));
    }

    @Test
    void shouldMakeRoomForTheNextWhenAnotherExtensionPreventsOne() {
        deliveries.connected("c", ANY_SIZE, 0);
        while (deliveries.backlog("c").waiting() == 0) {
            offer(1, 1);
        }
        int with = sent.size();
        deliveries.written("c", 1, sent.get(0), 0);
        deliveries.prevented("c", sent.get(0), 0);
        deliveries.prevented("c", sent.get(0), 0);
        assertThat(counted).isEqualTo(Map.of("prevented 1", 1));
        assertThat(sent).hasSize(with + 1);
    }

    @Test
    void shouldBalanceTheBooksWhateverHappens() {
        for (long seed : new long[] {1, 2, System.nanoTime()}) {
            Random random = new Random(seed);
            counted.clear();
            int offered = 0;
            for (int step = 0; step < 5_000; step++) {
                long token = random.nextInt(step / 4 + 1);
                int qos = random.nextInt(3);
                switch (random.nextInt(9)) {
                    case 0 -> deliveries.connected("c", ANY_SIZE, step);
                    case 1 -> deliveries.written("c", qos, token, step);
                    case 2 -> deliveries.acknowledged("c", token, step);
                    case 3 -> deliveries.notTaken("c", qos, token, step);
                    case 4 -> deliveries.tick(step * 100L);
                    case 6 -> deliveries.prevented("c", token, step);
                    case 5 -> {
                        if (random.nextInt(50) == 0) {
                            deliveries.sessionEnded("c", 0);
                        } else if (random.nextInt(10) == 0) {
                            deliveries.disconnected("c");
                        }
                    }
                    default -> {
                        deliveries.offer(message(qos, random.nextInt(10) == 0 ? step : Long.MAX_VALUE), step);
                        offered++;
                    }
                }
            }
            deliveries.sessionEnded("c", 0);
            assertThat(counted.values().stream().mapToInt(Integer::intValue).sum())
                    .as("seed " + seed)
                    .isEqualTo(offered);
            assertThat(deliveries.waitingBytes()).isZero();
        }
    }
}
