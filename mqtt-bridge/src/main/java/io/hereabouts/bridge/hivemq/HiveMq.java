package io.hereabouts.bridge.hivemq;

import com.hivemq.configuration.service.InternalConfigurations;
import com.hivemq.embedded.EmbeddedExtension;
import com.hivemq.embedded.EmbeddedHiveMQ;
import com.hivemq.embedded.EmbeddedHiveMQBuilder;
import io.hereabouts.bridge.Listeners;
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
 * HiveMQ CE in this JVM. Its configuration is written on each start: without one HiveMQ would
 * listen on all addresses at port 1883, and accept 10 messages at a time from a client.
 */
public final class HiveMq implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HiveMq.class);

    /** How long HiveMQ waits when it stops for what it is writing; it waits that long in any case. */
    private static final int GRACE_MILLIS = 1_000;

    private static final int NOTHING_TO_WRITE_MILLIS = 50;

    /** Into how many databases HiveMQ divides each kind of data; opening its own 64 takes seconds. Must never change. */
    private static final int BUCKETS = 16;

    private static final int BUCKETS_IN_MEMORY = 64;

    /**
     * What is chosen of HiveMQ's configuration.
     *
     * @param folder where HiveMQ's files go; made if it is missing
     * @param temporary whether all is in memory, and the folder goes when the broker stops
     * @param maxPacket that a client may send, in bytes
     * @param receiveMaximum unacknowledged PUBLISHes that a client may send
     * @param queueLimit messages that wait for a client
     */
    public record Settings(
            Path folder, boolean temporary, Listeners listeners, int maxPacket, int receiveMaximum, int queueLimit) {}

    private final Settings settings;
    private final EmbeddedHiveMQ hivemq;

    private HiveMq(Settings settings, EmbeddedHiveMQ hivemq) {
        this.settings = settings;
        this.hivemq = hivemq;
    }

    /** Starts the broker and waits until it listens. */
    public static HiveMq start(Settings settings, Optional<EmbeddedExtension> extension) throws InterruptedException {
        InternalConfigurations.PERSISTENCE_SHUTDOWN_GRACE_PERIOD_MSEC.set(
                settings.temporary() ? NOTHING_TO_WRITE_MILLIS : GRACE_MILLIS);
        int buckets = settings.temporary() ? BUCKETS_IN_MEMORY : BUCKETS;
        InternalConfigurations.PERSISTENCE_BUCKET_COUNT.set(buckets);
        InternalConfigurations.PAYLOAD_PERSISTENCE_BUCKET_COUNT.set(buckets);
        EmbeddedHiveMQBuilder builder = EmbeddedHiveMQ.builder()
                .withConfigurationFolder(folder(settings, "conf"))
                .withDataFolder(folder(settings, "data"))
                .withExtensionsFolder(folder(settings, "extensions"))
                .withoutLoggingBootstrap();
        HiveMq broker = new HiveMq(
                settings,
                extension.map(builder::withEmbeddedExtension).orElse(builder).build());
        BrokerXml config = new BrokerXml(settings);
        boolean started = false;
        try {
            config.secrets().forEach(System::setProperty);
            writeConfig(settings, config);
            broker.hivemq.start().get();
            started = true;
            return broker;
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "HiveMQ did not start on " + settings.listeners().addresses() + ": " + e.getCause(), e);
        } finally {
            config.secrets().keySet().forEach(System::clearProperty);
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

    private static void writeConfig(Settings settings, BrokerXml config) {
        try {
            Files.writeString(folder(settings, "conf").resolve("config.xml"), config.text());
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
        if (settings.temporary()) {
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
