package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.client.ClientContext;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extension.sdk.api.services.Services;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gates of an edge, as HiveMQ is to know them. */
final class Gates {

    private static final Logger LOG = LoggerFactory.getLogger(Gates.class);
    private static final Duration COMPARED = Duration.ofMinutes(5);

    private final Bridge bridge;
    private final Optional<Pipelines> pipelines;

    private Gates(Bridge bridge) {
        this.bridge = bridge;
        this.pipelines = bridge.inPipeline() ? pipelines() : Optional.empty();
    }

    /**
     * Registers the gates with HiveMQ; to be called in an {@code extensionStart} only. What the edge needs of HiveMQ is
     * captured there and then, so that several brokers can live in one JVM.
     *
     * @param admitting who lets clients in where there is no security file
     */
    static BrokerServices register(Bridge bridge, ConnectGate.Admitting admitting) {
        return new Gates(bridge).register(admitting);
    }

    private static Optional<Pipelines> pipelines() {
        try {
            return Optional.of(Pipelines.open());
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            LOG.warn("HiveMQ's pipeline is not as that of 2025.5, interceptors take more time: {}", e.toString());
            return Optional.empty();
        }
    }

    private BrokerServices register(ConnectGate.Admitting admitting) {
        BrokerServices broker = BrokerServices.capture(bridge.names(), bridge.clock());
        HeldPubrecs heldPubrecs = new HeldPubrecs();
        WillGate wills = new WillGate(bridge, broker);
        ConnectGate connects = new ConnectGate(
                bridge,
                heldPubrecs,
                admitting,
                wills,
                bridge.access().map(access -> new Admissions(bridge, broker, access, wills)));
        compare(broker);
        connects.start();
        Services.interceptorRegistry().setConnectInboundInterceptorProvider(in -> connects);
        Services.interceptorRegistry().setConnackOutboundInterceptorProvider(in -> connects);
        Services.eventRegistry().setClientLifecycleEventListener(in -> connects);
        Services.securityRegistry().setAuthenticatorProvider(connects::authenticator);
        Services.securityRegistry().setAuthorizerProvider(in -> {
            Connection connection = connects.of(in.getConnectionInformation());
            return connection == null ? null : connection.subscribeGate();
        });
        Services.initializerRegistry().setClientInitializer((in, context) -> {
            Connection connection = connects.of(in.getConnectionInformation());
            if (connection != null) {
                open(broker, heldPubrecs, connection, context);
                deliver(connection, in.getConnectionInformation(), context);
            }
        });
        return broker;
    }

    /** HiveMQ lets no client in before this has returned. */
    private void compare(BrokerServices broker) {
        try {
            bridge.comparison().compareAtRest(broker).toCompletableFuture().get(COMPARED.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("HiveMQ does not say what is subscribed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while comparing subscriptions", e);
        }
    }

    private void open(BrokerServices broker, HeldPubrecs heldPubrecs, Connection connection, ClientContext context) {
        Permissions permissions = new Permissions(context.getDefaultPermissions());
        connection.permissions(permissions);
        context.addDisconnectInboundInterceptor(
                (in, out) -> in.getDisconnectPacket().getSessionExpiryInterval().ifPresent(connection::lasts));
        PublishGate publishes = new PublishGate(bridge, broker, connection, permissions, heldPubrecs);
        context.addPublishInboundInterceptor(publishes);
        context.addPubackOutboundInterceptor(publishes);
        context.addPubrecOutboundInterceptor(publishes);
        context.addPubrelInboundInterceptor(publishes);
        SubscribeGate subscribes = new SubscribeGate(bridge, connection, permissions);
        connection.subscribeGate(subscribes);
        context.addSubscribeInboundInterceptor(subscribes);
        context.addSubackOutboundInterceptor(subscribes);
        context.addUnsubscribeInboundInterceptor(new UnsubscribeGate(bridge, broker, connection));
    }

    /** Through HiveMQ's own pipeline, or, where that is not to be or cannot be, by interceptors. */
    private void deliver(Connection connection, ConnectionInformation information, ClientContext context) {
        DeliveryGate deliveries = new DeliveryGate(bridge, connection);
        if (pipelines.isPresent()) {
            try {
                pipelines.get().add(information, deliveries);
                return;
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("HiveMQ's pipeline of {} is not as those of 2025.5: {}", connection.client, e.toString());
            }
        }
        context.addPublishOutboundInterceptor(deliveries);
        context.addPubackInboundInterceptor(deliveries);
        context.addPubrecInboundInterceptor(deliveries);
    }
}
