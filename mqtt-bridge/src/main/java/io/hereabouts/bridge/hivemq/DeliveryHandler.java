package io.hereabouts.bridge.hivemq;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.hivemq.mqtt.event.PublishDroppedEvent;
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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same as {@link DeliveryGate}'s interceptors, on the event loop of the connection. Belongs to one connection; one thread.
 */
final class DeliveryHandler extends ChannelDuplexHandler {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryHandler.class);

    private final DeliveryGate gate;

    DeliveryHandler(DeliveryGate gate) {
        this.gate = gate;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise knows
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        if (message instanceof PUBLISH publish) {
            PUBLISH restored;
            try {
                restored = restored(publish);
            } catch (RuntimeException e) {
                LOG.error("PUBLISH on {} failed", publish.getTopic(), e);
                // as HiveMQ does for an interceptor that prevents it
                promise.setSuccess();
                ctx.fireUserEventTriggered(new PublishDroppedEvent(publish));
                return;
            }
            ctx.write(restored, promise);
        } else {
            ctx.write(message, promise);
        }
    }

    /** The message itself if the edge has no part in it. */
    private PUBLISH restored(PUBLISH publish) {
        ImmutableList<MqttUserProperty> properties = publish.getUserProperties().asList();
        for (int i = properties.size() - 1; i >= 0; i--) {
            if (properties.get(i).getName().equals(DeliveryNote.PROPERTY)) {
                return restored(publish, DeliveryNote.parse(properties.get(i).getValue()));
            }
        }
        return publish;
    }

    private PUBLISH restored(PUBLISH publish, Optional<DeliveryNote> noted) {
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
        noted.ifPresent(note -> {
            builder.withSubscriptionIdentifiers(ImmutableIntArray.copyOf(note.subscriptionIdentifiers()))
                    .withRetain(note.retain());
            gate.written(note, publish.getQoS().getQosNumber(), publish.getPacketIdentifier());
        });
        return builder.build();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof PUBACK puback) {
            gate.acknowledged(puback.getPacketIdentifier());
        } else if (message instanceof PUBREC pubrec) {
            gate.acknowledged(pubrec.getPacketIdentifier());
        }
        ctx.fireChannelRead(message);
    }
}
