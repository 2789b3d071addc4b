package io.hereabouts.bridge;

import io.hereabouts.bridge.EdgeConfig.Limits;
import io.hereabouts.bridge.hivemq.HiveMq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** The broker that an edge has of its own. No state. */
final class EdgeBroker {

    private EdgeBroker() {}

    /** What of its configuration the edge's decides. */
    static HiveMq.Settings settings(EdgeConfig config) {
        Limits limits = config.limits();
        try {
            return new HiveMq.Settings(
                    config.keepsSessions() ? config.sessions().get() : Files.createTempDirectory("hereabouts-edge-"),
                    !config.keepsSessions(),
                    config.listeners(),
                    limits.maxPacket(),
                    limits.receiveMaximum(),
                    config.queueLimit());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
