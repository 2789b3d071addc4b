package io.hereabouts.bridge.hivemq;

import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.embedded.EmbeddedHiveMQBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HiveMQ CE in this JVM, everything in memory. Its configuration is written on each start: without one HiveMQ would
 * listen on all addresses at port 1883, and accept 10 messages at a time from a client.
 */
public final class HiveMq implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HiveMq.class);

    private static final int SHUTDOWN_GRACE_MILLIS = 50;

    /**
     * What is chosen of HiveMQ's configuration.
     *
     * @param folder where HiveMQ's files go; made if it is missing
     * @param deleteFolder whether it goes when the broker stops
     * @param port 0 for any free one
     * @param receiveMaximum unacknowledged PUBLISHes that a client may send
     * @param queueLimit messages that wait for a client
     */
    public record Settings(
            Path folder, boolean deleteFolder, String host, int port, int receiveMaximum, int queueLimit) {}

    private final Settings settings;
    private final EmbeddedHiveMQ hivemq;

    private HiveMq(Settings settings, EmbeddedHiveMQ hivemq) {
        this.settings = settings;
        this.hivemq = hivemq;
    }

    /** Starts the broker and waits until it listens. */
    public static HiveMq start(Settings settings, Optional<EmbeddedExtension> extension) throws InterruptedException {
        // There is nothing to be written when it stops.
        InternalConfigurations.PERSISTENCE_SHUTDOWN_GRACE_PERIOD_MSEC.set(SHUTDOWN_GRACE_MILLIS);
        EmbeddedHiveMQBuilder builder = EmbeddedHiveMQ.builder()
                .withConfigurationFolder(folder(settings, "conf"))
                .withDataFolder(folder(settings, "data"))
                .withExtensionsFolder(folder(settings, "extensions"))
                .withoutLoggingBootstrap();
        HiveMq broker = new HiveMq(
                settings,
                extension.map(builder::withEmbeddedExtension).orElse(builder).build());
        boolean started = false;
        try {
            writeConfig(settings);
            broker.hivemq.start().get();
            started = true;
            return broker;
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "HiveMQ did not start on " + settings.host() + ":" + settings.port() + ": " + e.getCause(), e);
        } finally {
            if (!started) {
                broker.cleanUp();
            }
        }
    }

    private static Path folder(Settings settings, String name) {
        try {
            return Files.createDirectories(settings.folder().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeConfig(Settings settings) {
        String config =
                """
                <?xml version="1.0"?>
                <hivemq>
                    <listeners>
                        <tcp-listener>
                            <port>%d</port>
                            <bind-address>%s</bind-address>
                        </tcp-listener>
                    </listeners>
                    <persistence><mode>in-memory</mode></persistence>
                    <mqtt>
                        <receive-maximum><server-receive-maximum>%d</server-receive-maximum></receive-maximum>
                        <queued-messages>
                            <max-queue-size>%d</max-queue-size>
                            <strategy>discard</strategy>
                        </queued-messages>
                    </mqtt>
                    <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
                </hivemq>
                """
                        .formatted(settings.port(), settings.host(), settings.receiveMaximum(), settings.queueLimit());
        try {
            Files.writeString(folder(settings, "conf").resolve("config.xml"), config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            hivemq.stop().get();
        } catch (ExecutionException e) {
            LOG.warn("HiveMQ did not stop cleanly: {}", String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cleanUp();
    }

    private void cleanUp() {
        try {
            hivemq.close();
        } catch (ExecutionException e) {
            LOG.warn("HiveMQ did not close cleanly: {}", String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (settings.deleteFolder()) {
            delete(settings.folder());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("{} stays: {}", folder, e.toString());
        }
    }
}
