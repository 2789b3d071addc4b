package io.hereabouts.bridge;

import io.hereabouts.bridge.EdgeConfig.Limits;
import io.hereabouts.bridge.hivemq.HiveMq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The broker of an edge with an edge's configuration but without the bridge: what an edge is measured against. */
public final class PlainBroker implements AutoCloseable {

    private final HiveMq hivemq;

    private PlainBroker(HiveMq hivemq) {
        this.hivemq = hivemq;
    }

    /**
     * Starts the broker; it listens when this returns.
     *
     * @param port a free one, not 0
     * @param sessions folder in which it keeps sessions; empty: in memory
     * @throws IllegalStateException if it does not start
     */
    public static PlainBroker launch(String host, int port, Optional<Path> sessions) throws InterruptedException {
        Limits limits = Limits.DEFAULT;
        try {
            return new PlainBroker(HiveMq.start(
                    new HiveMq.Settings(
                            sessions.isPresent() ? sessions.get() : Files.createTempDirectory("hereabouts-plain-"),
                            sessions.isEmpty(),
                            Listeners.tcp(host, port),
                            limits.maxPacket(),
                            limits.receiveMaximum(),
                            limits.queueLimit(sessions.isPresent())),
                    Optional.empty()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        hivemq.close();
    }
}
