package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.async.Async;
import com.hivemq.extension.sdk.api.interceptor.puback.PubackOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.puback.parameter.PubackOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.puback.parameter.PubackOutboundOutput;
import com.hivemq.extension.sdk.api.interceptor.publish.PublishInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishInboundInput;
import com.hivemq.extension.sdk.api.interceptor.publish.parameter.PublishInboundOutput;
import com.hivemq.extension.sdk.api.interceptor.pubrec.PubrecOutboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecOutboundInput;
import com.hivemq.extension.sdk.api.interceptor.pubrec.parameter.PubrecOutboundOutput;
import com.hivemq.extension.sdk.api.interceptor.pubrel.PubrelInboundInterceptor;
import com.hivemq.extension.sdk.api.interceptor.pubrel.parameter.PubrelInboundInput;
import com.hivemq.extension.sdk.api.interceptor.pubrel.parameter.PubrelInboundOutput;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import com.hivemq.extension.sdk.api.packets.publish.AckReasonCode;
import com.hivemq.extension.sdk.api.packets.publish.PublishPacket;
import io.hereabouts.bridge.publish.PublishRules;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's way in for PUBLISH. The inbound step decides and returns at once, so that a pipelining client stays
 * pipelined; the step on the outgoing acknowledgement holds it until Kafka has the publication. A held acknowledgement
 * can no longer become an error, and HiveMQ sends success when holding it times out: so failing means DISCONNECT, well
 * before that. Everything is caught: what escapes an interceptor would also be answered with success.
 */
final class PublishGate
        implements PublishInboundInterceptor,
                PubackOutboundInterceptor,
                PubrecOutboundInterceptor,
                PubrelInboundInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(PublishGate.class);
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int QUOTA_EXCEEDED = 0x97;

    private final Bridge bridge;
    private final BrokerServices broker;
    private final Connection connection;
    private final Permissions permissions;
    private final PublicationRecords records;
    private final HeldPubrecs heldPubrecs;

    PublishGate(
            Bridge bridge,
            BrokerServices broker,
            Connection connection,
            Permissions permissions,
            HeldPubrecs heldPubrecs) {
        this.bridge = bridge;
        this.broker = broker;
        this.connection = connection;
        this.permissions = permissions;
        this.heldPubrecs = heldPubrecs;
        this.records = new PublicationRecords(bridge.edge(), bridge.names());
    }

    @Override
    public void onInboundPublish(PublishInboundInput input, PublishInboundOutput output) {
        PublishPacket publish = input.getPublishPacket();
        try {
            if (publish.getQos() == Qos.EXACTLY_ONCE) {
                hold(publish, CompletableFuture.completedFuture(null));
            }
            List<String> entities = List.of();
            if (!publish.getUserProperties().isEmpty()) {
                entities =
                        publish.getUserProperties().getAllForName(bridge.names().entity());
                bridge.strip(output.getPublishPacket().getUserProperties());
            }
            // HiveMQ itself refuses topics that begin with '$': leave those to it.
            if (publish.getTopic().startsWith("$")) {
                return;
            }
            if (!entities.isEmpty()) {
                spatial(publish, entities, output);
            } else if (!isGranted(publish, Optional.empty())) {
                refuse(
                        publish,
                        output,
                        "NOT_AUTHORIZED",
                        NOT_AUTHORIZED,
                        publish.getQos() == Qos.EXACTLY_ONCE,
                        "not authorized to publish to " + publish.getTopic());
            } else if (bridge.carried().matches(publish.getTopic())) {
                carry(publish, output);
            }
        } catch (RuntimeException | Error e) {
            // an error too, say of a class that is missing: HiveMQ would never answer
            LOG.error("PUBLISH of {} failed", connection.client, e);
            refuse(publish, output, "BUG", 0x80, publish.getQos() == Qos.EXACTLY_ONCE, "internal error");
        }
    }

    /** HiveMQ hands it to its own clients as ever; it is acknowledged when Kafka has it for those of other edges, too. */
    private void carry(PublishPacket publish, PublishInboundOutput output) {
        int qos = publish.getQos().getQosNumber();
        if (!permissions.mayPublish(publish.getTopic(), qos, publish.getRetain())) {
            // HiveMQ refuses it
            return;
        }
        Optional<PublishRules.Refuse> refused = bridge.rules()
                .carried(
                        qos,
                        publish.getPayload().map(ByteBuffer::remaining).orElse(0),
                        PublicationRecords.bytesBesidesPayload(publish),
                        bridge.kafkaDown().getAsBoolean());
        if (refused.isPresent()) {
            PublishRules.Refuse why = refused.get();
            refuse(publish, output, why.reason().name(), why.code(), why.disconnects(), why.text());
            return;
        }
        CompletableFuture<Void> stored = bridge.messages()
                .write(
                        qos,
                        publish.getTopic(),
                        Framing.encode(records.of(
                                publish,
                                connection.client,
                                output.getPublishPacket().getUserProperties(),
                                bridge.clock().millis())));
        hold(publish, stored);
        var unused = stored.handle((ok, failure) -> {
            if (failure == null) {
                bridge.metrics().carried("out");
            } else {
                bridge.metrics().dropped("not_carried", qos);
            }
            return failure == null;
        });
    }

    /** By the security file. HiveMQ's own permissions of what it hands out itself are its own business. */
    private boolean isGranted(PublishPacket publish, Optional<EntityId> entity) {
        return bridge.access().isEmpty()
                || connection
                        .rights()
                        .map(rights -> rights.mayPublish(publish.getTopic(), entity, bridge.places()))
                        .orElse(false);
    }

    private void spatial(PublishPacket publish, List<String> entities, PublishInboundOutput output) {
        int qos = publish.getQos().getQosNumber();
        PublishRules.Decision decision = bridge.rules()
                .decide(new PublishRules.Facts(
                        publish.getTopic(),
                        qos,
                        noRoomToRetain(publish, entities.get(0), bridge),
                        publish.getPayload().map(ByteBuffer::remaining).orElse(0),
                        PublicationRecords.bytesBesidesPayload(publish),
                        entities,
                        entity -> permissions.mayPublish(publish.getTopic(), qos, publish.getRetain())
                                && isGranted(publish, Optional.of(entity)),
                        bridge.kafkaDown().getAsBoolean()));
        if (decision instanceof PublishRules.Refuse refused) {
            refuse(publish, output, refused.reason().name(), refused.code(), refused.disconnects(), refused.text());
        } else if (decision instanceof PublishRules.Take taken) {
            take(publish, taken.entity(), output);
        }
    }

    /** By an estimate: what a record has besides is some dozen bytes, and the client's name. */
    static boolean noRoomToRetain(PublishPacket publish, String entity, Bridge bridge) {
        int payload = publish.getPayload().map(ByteBuffer::remaining).orElse(0);
        return publish.getRetain()
                && payload > 0
                && !bridge.retained()
                        .hasRoom(
                                new RetainedKey(publish.getTopic(), entity),
                                Math.toIntExact(payload + PublicationRecords.bytesBesidesPayload(publish)));
    }

    private void take(PublishPacket publish, EntityId entity, PublishInboundOutput output) {
        int qos = publish.getQos().getQosNumber();
        byte[] record = Framing.encode(records.of(
                publish,
                connection.client,
                output.getPublishPacket().getUserProperties(),
                bridge.clock().millis()));
        CompletableFuture<Void> stored = publish.getRetain()
                ? bridge.retained().write(qos, entity, record, publish.getTopic(), isEmpty(publish))
                : switch (publish.getQos()) {
                    case AT_MOST_ONCE -> bridge.writer().writeQos0(entity, record);
                    case AT_LEAST_ONCE -> bridge.writer().write(entity, record);
                    case EXACTLY_ONCE -> bridge.writer().writeUntilStored(entity, record);
                };
        hold(publish, stored);
        output.preventPublishDelivery();
        count(stored, qos);
    }

    private static boolean isEmpty(PublishPacket publish) {
        return publish.getPayload().map(ByteBuffer::remaining).orElse(0) == 0;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are handled
    private void count(CompletableFuture<Void> stored, int qos) {
        stored.whenComplete((ok, failure) -> {
            if (failure == null) {
                bridge.metrics().published(qos);
            } else {
                bridge.metrics().dropped("kafka", qos);
            }
        });
    }

    /** The acknowledgement waits for this. */
    private void hold(PublishPacket publish, CompletableFuture<Void> stored) {
        switch (publish.getQos()) {
            case AT_MOST_ONCE -> {}
            case AT_LEAST_ONCE -> connection.held.put(publish.getPacketId(), stored);
            case EXACTLY_ONCE -> heldPubrecs.hold(connection.client, publish.getPacketId(), stored);
        }
    }

    private void refuse(
            PublishPacket publish,
            PublishInboundOutput output,
            String reason,
            int code,
            boolean disconnects,
            String text) {
        int qos = publish.getQos().getQosNumber();
        bridge.metrics().refused("publish", reason);
        if (code == NOT_AUTHORIZED) {
            bridge.audit()
                    .denied(
                            "publish",
                            connection.client,
                            connection.user(),
                            connection.address,
                            "not_authorized",
                            text);
        }
        if (qos == 0) {
            bridge.metrics().dropped("refused", 0);
            output.preventPublishDelivery();
        } else if (disconnects) {
            hold(publish, CompletableFuture.failedFuture(new Refusal(code, text)));
            output.preventPublishDelivery();
        } else {
            output.preventPublishDelivery(ReasonCodes.ack(code), text);
        }
    }

    @Override
    public void onOutboundPuback(PubackOutboundInput input, PubackOutboundOutput output) {
        CompletableFuture<Void> stored =
                connection.held.remove(input.getPubackPacket().getPacketIdentifier());
        if (stored != null && input.getPubackPacket().getReasonCode() == AckReasonCode.SUCCESS && !succeeded(stored)) {
            hold(stored, output.async(beyondTimeout()));
        }
    }

    @Override
    public void onOutboundPubrec(PubrecOutboundInput input, PubrecOutboundOutput output) {
        Optional<CompletableFuture<Void>> stored =
                heldPubrecs.of(connection.client, input.getPubrecPacket().getPacketIdentifier());
        if (stored.isEmpty()) {
            // nobody has this PUBLISH: only without its session HiveMQ forgets the packet id
            bridge.metrics().refused("publish", "stale_packet_id");
            Async<?> held = output.async(beyondTimeout());
            broker.endSession(connection.client).whenComplete((done, error) -> held.resume());
        } else if (!succeeded(stored.get())) {
            hold(stored.get(), output.async(beyondTimeout()));
        }
    }

    @Override
    public void onInboundPubrel(PubrelInboundInput input, PubrelInboundOutput output) {
        heldPubrecs.released(connection.client, input.getPubrelPacket().getPacketIdentifier());
    }

    private static boolean succeeded(CompletableFuture<Void> stored) {
        return stored.isDone() && !stored.isCompletedExceptionally();
    }

    private Duration beyondTimeout() {
        return bridge.publishTimeout().multipliedBy(2).plusSeconds(30);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // both outcomes are handled
    private void hold(CompletableFuture<Void> stored, Async<?> held) {
        stored.copy()
                .orTimeout(bridge.publishTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((ok, failure) -> {
                    if (failure == null) {
                        held.resume();
                        return;
                    }
                    Refusal refusal = refusal(failure);
                    // Only a closed connection keeps the success from the client: resume after that.
                    broker.disconnect(connection.client, refusal.code(), refusal.text())
                            .whenComplete((done, error) -> held.resume());
                });
    }

    private static Refusal refusal(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable why = failure instanceof CompletionException && cause != null ? cause : failure;
        return why instanceof Refusal refusal
                ? refusal
                : new Refusal(QUOTA_EXCEEDED, "Kafka has not acknowledged the PUBLISH: " + brief(why));
    }

    private static String brief(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    }
}
