package io.hereabouts.launcher.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * One Kafka broker that is its own controller (KRaft), in this process, on a loopback port, with its data in a folder
 * that survives it. For trying Hereabouts out and for tests: one copy of everything, no security.
 */
public final class EmbeddedKafka implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private final KafkaRaftServer server;
    private final int port;

    private EmbeddedKafka(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /**
     * Starts the broker and returns when it answers.
     *
     * @param data folder for its log; formatted if it is new
     * @param port on 127.0.0.1, or 0 for any free one
     * @throws IOException if the folder cannot be written, the port is taken, or it does not answer within a minute
     */
    public static EmbeddedKafka launch(Path data, int port) throws IOException, InterruptedException {
        return launch(data, port, settings -> {});
    }

    /** As the other, with settings that differ. */
    static EmbeddedKafka launch(Path data, int port, Consumer<Properties> differently)
            throws IOException, InterruptedException {
        int brokerPort = port == 0 ? freePort() : requireFree(port);
        int controllerPort = freePort();
        Files.createDirectories(data);
        Path log = data.toAbsolutePath();
        format(log);
        Properties settings = settings(log, brokerPort, controllerPort);
        differently.accept(settings);
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(settings), Time.SYSTEM);
        EmbeddedKafka kafka = new EmbeddedKafka(server, brokerPort);
        try {
            server.startup();
            kafka.awaitReady();
            return kafka;
        } catch (IOException | InterruptedException | RuntimeException e) {
            kafka.close();
            throw e;
        }
    }

    /** {@code host:port} for clients on this machine. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** The port of the broker on 127.0.0.1. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private void awaitReady() throws IOException, InterruptedException {
        try (Admin admin = Admin.create(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers()))) {
            admin.describeCluster().nodes().get(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("Kafka does not answer on " + bootstrapServers(), e);
        }
    }

    private static void format(Path log) throws IOException {
        if (Files.exists(log.resolve("meta.properties"))) {
            return;
        }
        try (PrintStream quiet = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setClusterId(Uuid.randomUuid().toString())
                    .setNodeId(1)
                    .setControllerListenerName("CONTROLLER")
                    .setMetadataLogDirectory(log.toString())
                    .addDirectory(log.toString())
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .setHasDynamicQuorum(false)
                    .setPrintStream(quiet)
                    .run();
        } catch (Exception e) {
            throw new IOException("cannot format " + log + " for Kafka: " + e.getMessage(), e);
        }
    }

    private static Properties settings(Path log, int brokerPort, int controllerPort) {
        Properties s = new Properties();
        s.put("process.roles", "broker,controller");
        s.put("node.id", "1");
        s.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        s.put("listeners", "BROKER://127.0.0.1:" + brokerPort + ",CONTROLLER://127.0.0.1:" + controllerPort);
        s.put("advertised.listeners", "BROKER://127.0.0.1:" + brokerPort);
        s.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        s.put("inter.broker.listener.name", "BROKER");
        s.put("controller.listener.names", "CONTROLLER");
        s.put("log.dirs", log.toString());
        s.put("auto.create.topics.enable", "false");
        s.put("offsets.topic.num.partitions", "1");
        s.put("offsets.topic.replication.factor", "1");
        s.put("transaction.state.log.num.partitions", "1");
        s.put("transaction.state.log.replication.factor", "1");
        s.put("transaction.state.log.min.isr", "1");
        s.put("group.initial.rebalance.delay.ms", "0");
        s.put("log.cleaner.dedupe.buffer.size", "8388608");
        return s;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static int requireFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IOException("port " + port + " for Kafka is taken: " + e.getMessage(), e);
        }
    }
}
