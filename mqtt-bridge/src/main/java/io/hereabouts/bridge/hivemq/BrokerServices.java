package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.client.parameter.Listener;
import com.hivemq.extension.sdk.api.packets.general.Qos;
import com.hivemq.extension.sdk.api.packets.publish.PayloadFormatIndicator;
import com.hivemq.extension.sdk.api.services.Services;
import com.hivemq.extension.sdk.api.services.admin.AdminService;
import com.hivemq.extension.sdk.api.services.builder.Builders;
import com.hivemq.extension.sdk.api.services.builder.PublishBuilder;
import com.hivemq.extension.sdk.api.services.publish.PublishService;
import com.hivemq.extension.sdk.api.services.publish.PublishToClientResult;
import com.hivemq.extension.sdk.api.services.session.ClientService;
import com.hivemq.extension.sdk.api.services.subscription.SubscriptionStore;
import com.hivemq.extension.sdk.api.services.subscription.TopicSubscription;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.loop.Broker;
import io.hereabouts.bridge.subscription.BrokerSubscription;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.schemas.settings.StackSettings.MqttListener;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * HiveMQ's services, captured when the extension starts: the static {@code Services} belong to whichever broker of the
 * JVM started last. Thread-safe.
 */
final class BrokerServices implements Broker {

    private static final List<Qos> QOS = List.of(Qos.AT_MOST_ONCE, Qos.AT_LEAST_ONCE, Qos.EXACTLY_ONCE);

    private final PublishService publisher;
    private final ClientService clients;
    private final SubscriptionStore subscriptions;
    private final AdminService admin;
    private final UserPropertyNames names;
    private final Clock clock;

    private BrokerServices(
            PublishService publisher,
            ClientService clients,
            SubscriptionStore subscriptions,
            AdminService admin,
            UserPropertyNames names,
            Clock clock) {
        this.publisher = publisher;
        this.clients = clients;
        this.subscriptions = subscriptions;
        this.admin = admin;
        this.names = names;
        this.clock = clock;
    }

    /** To be called by the broker's {@code extensionStart} only. */
    static BrokerServices capture(UserPropertyNames names, Clock clock) {
        return new BrokerServices(
                Services.publishService(),
                Services.clientService(),
                Services.subscriptionStore(),
                Services.adminService(),
                names,
                clock);
    }

    @Override
    public CompletionStage<Boolean> deliver(Outgoing message, long token) {
        Publication p = message.publication();
        PublishBuilder builder = builder(p, message.copy().via().brokerTopic(p.getTopic()), message.expiresAt())
                .qos(QOS.get(message.copy().qos()));
        builder.userProperty(names.entity(), message.entity());
        message.copy().neighborhoodIds().forEach(id -> builder.userProperty(names.neighborhoodId(), id));
        builder.userProperty(names.publicationId(), p.getPublicationId());
        builder.userProperty(
                DeliveryNote.PROPERTY,
                new DeliveryNote(token, message.copy().subscriptionIdentifiers(), message.retain()).text());
        return publisher
                .publishToClient(builder.build(), message.copy().client())
                .thenApply(result -> result == PublishToClientResult.SUCCESSFUL);
    }

    /** With all that the publisher said of the message but its QoS and retain flag. */
    private PublishBuilder builder(Publication p, String topic, long expiresAt) {
        PublishBuilder builder =
                Builders.publish().topic(topic).payload(p.getPayload().duplicate());
        if (expiresAt != Long.MAX_VALUE) {
            builder.messageExpiryInterval(Math.max(1, (expiresAt - clock.millis() + 999) / 1_000));
        }
        Integer format = p.getPayloadFormatIndicator();
        if (format != null) {
            builder.payloadFormatIndicator(
                    format == 1 ? PayloadFormatIndicator.UTF_8 : PayloadFormatIndicator.UNSPECIFIED);
        }
        Optional.ofNullable(p.getContentType()).ifPresent(builder::contentType);
        Optional.ofNullable(p.getResponseTopic()).ifPresent(builder::responseTopic);
        Optional.ofNullable(p.getCorrelationData()).map(ByteBuffer::duplicate).ifPresent(builder::correlationData);
        p.getUserProperties().forEach(property -> builder.userProperty(property.getName(), property.getValue()));
        return builder;
    }

    @Override
    public CompletionStage<Void> publish(Publication message, long expiresAt) {
        return publisher.publish(builder(message, message.getTopic(), expiresAt)
                .qos(QOS.get(message.getQos()))
                .retain(message.getRetain())
                .build());
    }

    @Override
    public CompletionStage<Boolean> tell(String client, String topic, String neighborhoodId, byte[] json) {
        PublishBuilder builder = Builders.publish()
                .topic(topic)
                .qos(Qos.AT_LEAST_ONCE)
                .payload(ByteBuffer.wrap(json))
                .payloadFormatIndicator(PayloadFormatIndicator.UTF_8)
                .contentType("application/json")
                .userProperty(names.neighborhoodId(), neighborhoodId);
        return publisher
                .publishToClient(builder.build(), client)
                .thenApply(result -> result == PublishToClientResult.SUCCESSFUL);
    }

    @Override
    public CompletionStage<Boolean> isConnected(String client) {
        return clients.isClientConnected(client);
    }

    @Override
    public CompletionStage<Boolean> hasSession(String client) {
        return clients.getSession(client).thenApply(Optional::isPresent);
    }

    /** The session ends even if its client is back by then: what the edge knew of it has ended. */
    @Override
    public CompletionStage<Boolean> endSession(String client, int reasonCode, String reason) {
        return disconnect(client, reasonCode, reason)
                .handle((disconnected, failure) -> failure == null)
                .thenCompose(disconnected -> endSession(client));
    }

    /** Completes when the client is disconnected. */
    @Override
    public CompletionStage<Boolean> disconnect(String client, int reasonCode, String reason) {
        return clients.disconnectClient(client, false, ReasonCodes.disconnect(reasonCode), reason);
    }

    @Override
    public CompletionStage<List<BrokerSubscription>> subscriptions() {
        List<BrokerSubscription> all = new ArrayList<>();
        return subscriptions
                .iterateAllSubscriptions((context, ofClient) ->
                        ofClient.getSubscriptions().forEach(s -> all.add(subscription(ofClient.getClientId(), s))))
                .thenApply(done -> all);
    }

    private static BrokerSubscription subscription(String client, TopicSubscription s) {
        return new BrokerSubscription(
                client,
                s.getTopicFilter(),
                new Subscription.Options(
                        s.getQos().getQosNumber(),
                        s.getNoLocal(),
                        s.getRetainAsPublished(),
                        0,
                        s.getSubscriptionIdentifier().orElse(null)));
    }

    @Override
    public CompletionStage<Boolean> endSession(String client) {
        return clients.invalidateSession(client);
    }

    CompletionStage<Void> removeSubscriptions(String client, Set<String> topicFilters) {
        return subscriptions.removeSubscriptions(client, topicFilters);
    }

    /** The ports of the listeners that are named as the edge names its own. */
    Map<MqttListener, Integer> ports() {
        Map<MqttListener, Integer> ports = new EnumMap<>(MqttListener.class);
        for (Listener listener : admin.getServerInformation().getListener()) {
            for (MqttListener kind : MqttListener.values()) {
                if (kind.name().equals(listener.getName())) {
                    ports.put(kind, listener.getPort());
                }
            }
        }
        return ports;
    }

    /** Where the first listener is bound, ours in the order of their kinds. */
    InetSocketAddress listener() {
        List<Listener> all = List.copyOf(admin.getServerInformation().getListener());
        Listener first = Stream.of(MqttListener.values())
                .flatMap(kind -> all.stream().filter(l -> kind.name().equals(l.getName())))
                .findFirst()
                .orElseGet(() -> all.get(0));
        return new InetSocketAddress(first.getBindAddress(), first.getPort());
    }
}
