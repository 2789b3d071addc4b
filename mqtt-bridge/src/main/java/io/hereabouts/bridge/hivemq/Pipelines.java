package io.hereabouts.bridge.hivemq;

import com.hivemq.bootstrap.netty.ChannelHandlerNames;
import com.hivemq.extension.sdk.api.client.parameter.ConnectionInformation;
import com.hivemq.extensions.client.parameter.ConnectionAttributeStoreImpl;
import io.netty.channel.Channel;
import java.lang.reflect.Field;
import java.util.NoSuchElementException;

/**
 * HiveMQ's own pipelines of its connections, to which its SDK has no way. An outgoing interceptor costs a task and two changes
 * of thread a message, and a system call: HiveMQ then flushes each message by itself. A handler costs none of these
 * (docs/decisions/bridge-throughput.md). What is used here of HiveMQ CE 2025.5 may be another thing in the next; it is only
 * loaded when it is asked for. Thread-safe.
 */
final class Pipelines {

    private final Field channel;

    private Pipelines(Field channel) {
        this.channel = channel;
    }

    /**
     * The pipelines of this HiveMQ, after all that a connection will need of it has been tried.
     *
     * @throws ReflectiveOperationException if this is another HiveMQ; so do {@link LinkageError} and RuntimeException
     */
    static Pipelines open() throws ReflectiveOperationException {
        DeliveryHandler.rehearse();
        Field channel = ConnectionAttributeStoreImpl.class.getDeclaredField("channel");
        channel.setAccessible(true);
        return new Pipelines(channel);
    }

    /**
     * Puts a handler between HiveMQ's interceptors and what it does about quality of service, so that other extensions'
     * interceptors see what clients see.
     *
     * @throws ReflectiveOperationException if this is another HiveMQ; so does RuntimeException
     */
    void add(ConnectionInformation connection, DeliveryHandler.Reports reports) throws ReflectiveOperationException {
        Channel of = (Channel) channel.get(connection.getConnectionAttributeStore());
        try {
            of.pipeline()
                    .addAfter(
                            ChannelHandlerNames.INTERCEPTOR_HANDLER,
                            "hereabouts-deliveries",
                            new DeliveryHandler(reports));
        } catch (NoSuchElementException e) {
            // a connection that has ended has no handlers any more
            if (of.isOpen()) {
                throw e;
            }
        }
    }
}
