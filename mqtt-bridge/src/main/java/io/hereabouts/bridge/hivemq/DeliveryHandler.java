package io.hereabouts.bridge.hivemq;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.hivemq.mqtt.event.PublishDroppedEvent;
import com.hivemq.mqtt.message.QoS;
import com.hivemq.mqtt.message.mqtt5.Mqtt5UserProperties;
import com.hivemq.mqtt.message.mqtt5.MqttUserProperty;
import com.hivemq.mqtt.message.puback.PUBACK;
import com.hivemq.mqtt.message.publish.PUBLISH;
import com.hivemq.mqtt.message.publish.PUBLISHFactory;
import com.hivemq.mqtt.message.pubrec.PUBREC;
import io.hereabouts.bridge.subscription.HiddenTopics;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.List;
import java.util.Optional;

/** Does what the interceptors of {@link DeliveryGate} do, on the event loop of its connection. One thread. */
final class DeliveryHandler extends ChannelDuplexHandler {

    /** Gets to know what becomes of messages, on the connection's event loop. */
    interface Reports {
        /** The message that the note is of is about to be written. */
        void written(DeliveryNote note, int qos, int packetId);

        /** The client has taken the message, or said that it does not want it. */
        void acknowledged(int packetId);

        /** The message that was said to be written is not, because another extension does not want it. */
        void prevented(int packetId);

        /** A message is not delivered. */
        void failed(Throwable why);
    }

    private final Reports reports;

    DeliveryHandler(Reports reports) {
        this.reports = reports;
    }

    /**
     * Does once what it will do for each message.
     *
     * @throws RuntimeException if HiveMQ's messages are not as those of 2025.5; so does {@link LinkageError}
     */
    static void rehearse() {
        String topic = HiddenTopics.hide("c", "rehearsal", "t");
        PUBLISH publish = new PUBLISHFactory.Mqtt5Builder()
                .withHivemqId("rehearsal")
                .withTopic(topic)
                .withQoS(QoS.AT_LEAST_ONCE)
                .withOnwardQos(QoS.AT_LEAST_ONCE)
                .withPayload(new byte[0])
                .withPacketIdentifier(1)
                .withUserProperties(Mqtt5UserProperties.of(ImmutableList.of(
                        new MqttUserProperty(DeliveryNote.PROPERTY, new DeliveryNote(1, List.of(2), true).text()))))
                .build();
        PUBLISH restored = restored(publish, noteIn(publish).orElseThrow());
        if (!restored.getTopic().equals("t")
                || !restored.isRetain()
                || restored.getPacketIdentifier() != new PUBACK(1).getPacketIdentifier()
                || new PUBREC(1).getPacketIdentifier() != 1
                || !new PublishDroppedEvent(publish).getMessage().equals(publish)) {
            throw new IllegalStateException("a message came out as " + restored);
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise knows
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (!(message instanceof PUBLISH publish)) {
            ctx.write(message, promise);
            return;
        }
        PUBLISH restored = publish;
        try {
            Optional<String> text = noteIn(publish);
            if (text.isPresent()) {
                restored = restored(publish, text.get());
                DeliveryNote.parse(text.get())
                        .ifPresent(note ->
                                reports.written(note, publish.getQoS().getQosNumber(), publish.getPacketIdentifier()));
            }
        } catch (RuntimeException | LinkageError e) {
            reports.failed(e);
            promise.setSuccess();
            ctx.fireUserEventTriggered(new PublishDroppedEvent(publish));
            return;
        }
        ctx.write(restored, promise);
    }

    /** What the edge says of the message; empty if it has no part in it. */
    private static Optional<String> noteIn(PUBLISH publish) {
        ImmutableList<MqttUserProperty> properties = publish.getUserProperties().asList();
        for (int i = properties.size() - 1; i >= 0; i--) {
            if (properties.get(i).getName().equals(DeliveryNote.PROPERTY)) {
                return Optional.of(properties.get(i).getValue());
            }
        }
        return Optional.empty();
    }

    private static PUBLISH restored(PUBLISH publish, String text) {
        ImmutableList.Builder<MqttUserProperty> left = ImmutableList.builder();
        for (MqttUserProperty property : publish.getUserProperties().asList()) {
            if (!property.getName().equals(DeliveryNote.PROPERTY)) {
                left.add(property);
            }
        }
        PUBLISHFactory.Mqtt5Builder builder = new PUBLISHFactory.Mqtt5Builder()
                .fromPublish(publish)
                .withTopic(HiddenTopics.restore(publish.getTopic()))
                .withUserProperties(Mqtt5UserProperties.of(left.build()));
        DeliveryNote.parse(text).ifPresent(note -> builder.withSubscriptionIdentifiers(
                        ImmutableIntArray.copyOf(note.subscriptionIdentifiers()))
                .withRetain(note.retain()));
        return builder.build();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof PUBACK puback) {
            reports.acknowledged(puback.getPacketIdentifier());
        } else if (message instanceof PUBREC pubrec) {
            reports.acknowledged(pubrec.getPacketIdentifier());
        }
        ctx.fireChannelRead(message);
    }

    /** HiveMQ says so of a message that an interceptor of another extension keeps from its client. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof PublishDroppedEvent dropped) {
            reports.prevented(dropped.getMessage().getPacketIdentifier());
        }
        ctx.fireUserEventTriggered(event);
    }
}
