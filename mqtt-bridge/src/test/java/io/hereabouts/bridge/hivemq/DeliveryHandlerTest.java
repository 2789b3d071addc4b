package io.hereabouts.bridge.hivemq;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.hivemq.mqtt.event.PublishDroppedEvent;
import com.hivemq.mqtt.message.QoS;
import com.hivemq.mqtt.message.mqtt5.Mqtt5UserProperties;
import com.hivemq.mqtt.message.mqtt5.MqttUserProperty;
import com.hivemq.mqtt.message.puback.PUBACK;
import com.hivemq.mqtt.message.publish.PUBLISH;
import com.hivemq.mqtt.message.publish.PUBLISHFactory;
import com.hivemq.mqtt.message.pubrec.PUBREC;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With HiveMQ's own messages. */
class DeliveryHandlerTest {

    private final List<String> told = new ArrayList<>();
    private final List<Object> events = new ArrayList<>();
    private boolean fails;
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new DeliveryHandler(new DeliveryHandler.Reports() {
                @Override
                public void written(DeliveryNote note, int qos, int packetId) {
                    if (fails) {
                        throw new IllegalStateException("a bug");
                    }
                    told.add("written " + note.token() + " qos " + qos + " id " + packetId);
                }

                @Override
                public void acknowledged(int packetId) {
                    told.add("acknowledged " + packetId);
                }

                @Override
                public void prevented(int packetId) {
                    told.add("prevented " + packetId);
                }

                @Override
                public void failed(Throwable why) {
                    told.add("failed: " + why.getMessage());
                }
            }),
            new ChannelInboundHandlerAdapter() {
                @Override
                public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
                    events.add(event);
                }
            });

    private static PUBLISH publish(String topic, MqttUserProperty... properties) {
        return new PUBLISHFactory.Mqtt5Builder()
                .withHivemqId("h")
                .withTopic(topic)
                .withQoS(QoS.AT_LEAST_ONCE)
                .withOnwardQos(QoS.AT_LEAST_ONCE)
                .withPayload(new byte[] {7})
                .withMessageExpiryInterval(60)
                .withContentType("text/plain")
                .withPacketIdentifier(9)
                .withUserProperties(Mqtt5UserProperties.of(ImmutableList.copyOf(properties)))
                .build();
    }

    private static MqttUserProperty note(DeliveryNote note) {
        return new MqttUserProperty(DeliveryNote.PROPERTY, note.text());
    }

    @Test
    void shouldGiveAMessageBackWhatItsClientIsToSee() {
        MqttUserProperty first = new MqttUserProperty("k", "1");
        MqttUserProperty second = new MqttUserProperty("k", "2");

        channel.writeOutbound(publish(
                HiddenTopics.hide("c", "n", "t/1"), first, note(new DeliveryNote(5, List.of(3, 4), true)), second));

        PUBLISH written = channel.readOutbound();
        assertThat(written.getTopic()).isEqualTo("t/1");
        assertThat(written.getUserProperties().asList()).containsExactly(first, second);
        assertThat(written.getSubscriptionIdentifiers().asList()).containsExactly(3, 4);
        assertThat(written.isRetain()).isTrue();
        assertThat(written.getPacketIdentifier()).isEqualTo(9);
        assertThat(written.getPayload()).containsExactly(7);
        assertThat(written.getMessageExpiryInterval()).isEqualTo(60);
        assertThat(written.getContentType()).isEqualTo("text/plain");
        assertThat(told).containsExactly("written 5 qos 1 id 9");
    }

    @Test
    void shouldLeaveWhatIsNotTheEdgesAsItIs() {
        PUBLISH plain = publish("t", new MqttUserProperty("k", "1"));
        PUBACK other = new PUBACK(1);

        channel.writeOutbound(plain, other);

        assertThat(channel.<Object>readOutbound()).isSameAs(plain);
        assertThat(channel.<Object>readOutbound()).isSameAs(other);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellWhatClientsAcknowledgeAndPassItOn() {
        PUBACK puback = new PUBACK(2);
        PUBREC pubrec = new PUBREC(3);

        channel.writeInbound(puback, pubrec);

        assertThat(channel.<Object>readInbound()).isSameAs(puback);
        assertThat(channel.<Object>readInbound()).isSameAs(pubrec);
        assertThat(told).containsExactly("acknowledged 2", "acknowledged 3");
    }

    @Test
    void shouldTellWhatAnotherExtensionPrevents() {
        PublishDroppedEvent dropped = new PublishDroppedEvent(publish("t"));

        channel.pipeline().fireUserEventTriggered(dropped);

        assertThat(told).containsExactly("prevented 9");
        assertThat(events).containsExactly(dropped);
    }

    @Test
    void shouldLetHivemqGoOnAfterAMessageThatFails() {
        fails = true;
        PUBLISH publish = publish(HiddenTopics.hide("c", "n", "t"), note(new DeliveryNote(5, List.of(), false)));

        channel.writeOutbound(publish);

        assertThat(channel.<Object>readOutbound()).isNull();
        assertThat(told).containsExactly("failed: a bug");
        assertThat(events).singleElement().isInstanceOfSatisfying(PublishDroppedEvent.class, dropped -> assertThat(
                        dropped.getMessage())
                .isSameAs(publish));
    }
}
