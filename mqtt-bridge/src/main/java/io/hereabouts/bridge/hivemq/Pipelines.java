package io.hereabouts.bridge.hivemq;

import com.hivemq.bootstrap.netty.ChannelHandlerNames;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extensions.client.parameter.ConnectionAttributeStoreImpl;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.lang.reflect.Field;

/**
 * HiveMQ's own pipeline of a connection, to which its SDK has no way. An outgoing interceptor costs a task and two changes of
 * thread a message, and a system call: HiveMQ then flushes each message by itself. A handler costs neither
 * (docs/decisions/bridge-throughput.md). What is used here of HiveMQ CE 2025.5 may be another thing in the next; it is only
 * loaded when it is asked for. No state.
 */
final class Pipelines {

    /** Netty's own default. */
    private static final int FLUSHES_AT_MOST = 256;

    private Pipelines() {}

    /**
     * Puts the gate between HiveMQ's interceptors and what it does about quality of service, so that other extensions'
     * interceptors see what clients see, and lets what is written at once leave at once.
     *
     * @throws ReflectiveOperationException if this is another HiveMQ; so do {@link LinkageError} and RuntimeException
     */
    static void add(ConnectionInformation connection, DeliveryGate deliveries) throws ReflectiveOperationException {
        Field channelOfStore = ConnectionAttributeStoreImpl.class.getDeclaredField("channel");
        channelOfStore.setAccessible(true);
        Channel channel = (Channel) channelOfStore.get(connection.getConnectionAttributeStore());
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addAfter(
                ChannelHandlerNames.INTERCEPTOR_HANDLER, "hereabouts-deliveries", new DeliveryHandler(deliveries));
        pipeline.addFirst("hereabouts-flushes", new FlushConsolidationHandler(FLUSHES_AT_MOST, true));
    }
}
