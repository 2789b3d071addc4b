package io.hereabouts.bridge.extension;

import com.hivemq.extension.sdk.api.ExtensionMain;
import com.hivemq.extension.sdk.api.client.parameter.ServerInformation;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStartOutput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopInput;
import com.hivemq.extension.sdk.api.parameter.ExtensionStopOutput;
import io.hereabouts.bridge.ClientLookup;
import io.hereabouts.bridge.Edge;
import io.hereabouts.bridge.EdgeConfig;
import io.hereabouts.bridge.EdgeIds;
import io.hereabouts.bridge.hivemq.HivemqConfig;
import io.hereabouts.schemas.kafka.TopicWait;
import io.hereabouts.schemas.ops.OpsAddress;
import io.hereabouts.schemas.ops.OpsEndpoint;
import io.hereabouts.schemas.ops.ProcessHealth;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What HiveMQ starts. It is called before HiveMQ listens and returns when the edge is ready, so no client is let in before
 * that. If the edge cannot start, HiveMQ must not either: as a plain broker it would acknowledge publications about
 * entities and hand them to nobody. Throwing, or preventing the start, would let HiveMQ go on, and mark the extension as
 * disabled for good; an orderly exit would wait for the extension, which waits for the exit. So the process is halted; likewise
 * when the edge has lost its lease.
 */
public final class HereaboutsExtension implements ExtensionMain {

    private static final Logger LOG = LoggerFactory.getLogger(HereaboutsExtension.class);
    private static final String ALLOW_ALL = "hivemq-allow-all-extension";
    private static final String EDGE = "edge";
    /** Exit code after SIGTERM. */
    private static final int TERMINATED = 143;

    private final ProcessHealth health = new ProcessHealth(List.of(EDGE));
    private volatile @Nullable OpsEndpoint endpoint;
    private volatile @Nullable Edge edge;

    @Override
    public void extensionStart(ExtensionStartInput input, ExtensionStartOutput output) {
        // An orderly end would wait for this method, which may wait for Kafka: before the edge is there, nothing is
        // lost.
        Thread atOnce = new Thread(() -> Runtime.getRuntime().halt(TERMINATED));
        try {
            Runtime.getRuntime().addShutdownHook(atOnce);
            start(input);
            Runtime.getRuntime().removeShutdownHook(atOnce);
        } catch (Throwable e) {
            String why = String.valueOf(e.getMessage() == null ? e : e.getMessage());
            LOG.error("HiveMQ ends because Hereabouts cannot start: {}", why.replaceAll("\\R", "; "));
            LOG.debug("stack trace", e);
            Runtime.getRuntime().halt(1);
        }
    }

    private void start(ExtensionStartInput input) throws Exception {
        Path file = input.getExtensionInformation()
                .getExtensionHomeFolder()
                .toPath()
                .resolve("conf")
                .resolve("hereabouts.properties");
        StackSettings settings = Settings.load(Optional.of(file).filter(Files::exists), Map.of(), System.getenv());
        ServerInformation hivemq = input.getServerInformation();
        HivemqConfig found = HivemqConfig.read(configFile(hivemq.getHomeFolder()), HereaboutsExtension::variable);
        Path data = hivemq.getDataFolder().toPath();
        EdgeConfig config = EdgeConfig.of(
                EdgeIds.of(settings, data.resolve("hereabouts")),
                settings,
                Settings.kafka(settings),
                Optional.of(data).filter(folder -> found.keepsSessions()));
        check(found, config);
        if (input.getEnabledExtensions().containsKey(ALLOW_ALL)) {
            LOG.warn(
                    "{} is installed: it lets clients in even where Hereabouts is missing; remove it and set"
                            + " mqtt.allow-anonymous=true instead",
                    ALLOW_ALL);
        }
        OpsEndpoint opened = OpsEndpoint.open(OpsAddress.of(settings), health);
        endpoint = opened;
        TopicWait.await(config.kafka(), config.topics(), settings.kafka().startTimeout(), obstacle -> {
            health.starting(EDGE, obstacle);
            LOG.warn("edge {} waits: {}", config.edge(), obstacle);
        });
        Edge entered = Edge.enter(config, settings.mqtt().allowAnonymous(), opened.metrics());
        opened.lookUp(ClientLookup.PATH, new ClientLookup(entered));
        edge = entered;
        health.watch(EDGE, entered);
        var unused = entered.end().thenAccept(reason -> {
            LOG.error("HiveMQ ends: {}", reason);
            Runtime.getRuntime().halt(1);
        });
        LOG.info(
                "edge {} is ready, Kafka at {}, health and metrics at {}:{}, {}",
                config.edge(),
                config.kafka().bootstrapServers(),
                settings.http().host(),
                opened.port(),
                settings.mqtt().allowAnonymous()
                        ? "lets every client in (mqtt.allow-anonymous)"
                        : "lets in whom another extension lets in");
    }

    private static void check(HivemqConfig found, EdgeConfig config) {
        found.warnings(config.limits().receiveMaximum()).forEach(LOG::warn);
        List<String> problems = found.problems(config.queueLimit());
        if (!problems.isEmpty()) {
            throw new IllegalStateException(String.join("; ", problems));
        }
    }

    private static Path configFile(File home) {
        String folder = variable("hivemq.config.folder");
        if (folder == null) {
            folder = variable("HIVEMQ_CONFIG_FOLDER");
        }
        return home.toPath().resolve(folder == null ? "conf" : folder).resolve("config.xml");
    }

    /** As HiveMQ looks up what its configuration names. */
    private static @Nullable String variable(String name) {
        String property = System.getProperty(name);
        return property == null ? System.getenv(name) : property;
    }

    @Override
    public void extensionStop(ExtensionStopInput input, ExtensionStopOutput output) {
        health.stopping();
        close(edge);
        close(endpoint);
    }

    private static void close(@Nullable AutoCloseable part) {
        if (part == null) {
            return;
        }
        try {
            part.close();
        } catch (Exception e) {
            LOG.warn("{} did not close: {}", part.getClass().getSimpleName(), e.toString());
        }
    }
}
