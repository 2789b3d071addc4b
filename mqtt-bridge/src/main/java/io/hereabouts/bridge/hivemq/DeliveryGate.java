package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.interceptor.puback.PubackInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.puback.parameter.PubackInboundInput;
import com.hivemq.extension.sdk.api.interceptor.puback.parameter.PubackInboundOutput;
import com.hivemq.extension.sdk.api.interceptor.publish.PublishOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishOutboundOutput;
import com.hivemq.extension.sdk.api.interceptor.pubrec.PubrecInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecInboundInput;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecInboundOutput;
import com.hivemq.extension.sdk.api.packets.publish.ModifiableOutboundPublish;
import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.subscription.HiddenTopics;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's way out: gives a message back its topic, its subscription identifiers and RETAIN, takes its delivery note, and
 * reports that it was written and that it was acknowledged.
 */
final class DeliveryGate
        implements PublishOutboundInterceptor,
                PubackInboundInterceptor,
                PubrecInboundInterceptor,
                DeliveryHandler.Reports {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryGate.class);

    private final Bridge bridge;
    private final Connection connection;

    DeliveryGate(Bridge bridge, Connection connection) {
        this.bridge = bridge;
        this.connection = connection;
    }

    @Override
    public void onOutboundPublish(PublishOutboundInput input, PublishOutboundOutput output) {
        try {
            List<String> texts = input.getPublishPacket().getUserProperties().getAllForName(DeliveryNote.PROPERTY);
            if (!texts.isEmpty()) {
                ModifiableOutboundPublish publish = output.getPublishPacket();
                publish.getUserProperties().removeName(DeliveryNote.PROPERTY);
                publish.setTopic(HiddenTopics.restore(publish.getTopic()));
                DeliveryNote.parse(texts.get(texts.size() - 1)).ifPresent(note -> {
                    publish.setSubscriptionIdentifiers(note.subscriptionIdentifiers());
                    publish.setRetain(note.retain());
                    written(note, publish.getQos().getQosNumber(), publish.getPacketId());
                });
            }
        } catch (RuntimeException e) {
            failed(e);
            output.preventPublishDelivery();
        }
    }

    @Override
    public void failed(Throwable why) {
        LOG.error("PUBLISH to {} failed", connection.client, why);
    }

    @Override
    public void prevented(int packetId) {
        done(packetId, ClientDeliveries::prevented);
    }

    @Override
    public void written(DeliveryNote note, int qos, int packetId) {
        long token = note.token();
        if (qos > 0) {
            connection.unacknowledged.put(packetId, token);
        }
        bridge.loop().execute(() -> bridge.state()
                .deliveries()
                .written(connection.client, qos, token, bridge.clock().millis()));
    }

    @Override
    public void onInboundPuback(PubackInboundInput input, PubackInboundOutput output) {
        acknowledged(input.getPubackPacket().getPacketIdentifier());
    }

    /** With it the client has the message, or says that it does not want it; the rest is between it and HiveMQ. */
    @Override
    public void onInboundPubrec(PubrecInboundInput input, PubrecInboundOutput output) {
        acknowledged(input.getPubrecPacket().getPacketIdentifier());
    }

    @Override
    public void acknowledged(int packetId) {
        done(packetId, ClientDeliveries::acknowledged);
    }

    private interface Outcome {
        void tell(ClientDeliveries deliveries, String client, long token, long now);
    }

    private void done(int packetId, Outcome outcome) {
        Long token = connection.unacknowledged.remove(packetId);
        if (token != null) {
            bridge.loop()
                    .execute(() -> outcome.tell(
                            bridge.state().deliveries(),
                            connection.client,
                            token,
                            bridge.clock().millis()));
        }
    }
}
