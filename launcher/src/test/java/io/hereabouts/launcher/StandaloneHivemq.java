package io.hereabouts.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * HiveMQ CE as somebody would install it: a process and a home folder of its own, the extension's zip unpacked into
 * {@code extensions}. On its class path is nothing that the extension has to bring itself.
 */
final class StandaloneHivemq implements AutoCloseable {

    private static final Path ZIP = Path.of("..", "mqtt-bridge", "target", "hereabouts-hivemq-extension.zip")
            .toAbsolutePath();
    private static final List<String> BROUGHT_BY_THE_EXTENSION = List.of(
            "/classes",
            "hereabouts",
            "/org/apache/kafka/",
            "/org/apache/avro/",
            "/io/smallrye/",
            "/org/eclipse/microprofile/",
            "/io/micrometer/",
            "/org/locationtech/",
            "/com/github/luben/",
            "/org/xerial/",
            "/at/yawk/",
            "/com/nimbusds/",
            "/com/password4j/",
            "/jackson/dataformat/",
            "/org/yaml/",
            "/org/lz4/");

    private final Path home;
    private final int port;
    private Process process;

    private StandaloneHivemq(Path home, int port, Process process) {
        this.home = home;
        this.port = port;
        this.process = process;
    }

    /** Installs HiveMQ with the extension and starts it; returns at once. */
    static StandaloneHivemq install(Path home, Map<String, String> settings) throws IOException {
        int port = freePort();
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(
                home.resolve("conf").resolve("config.xml"),
                """
                <?xml version="1.0"?>
                <hivemq>
                    <listeners><tcp-listener><port>%d</port><bind-address>127.0.0.1</bind-address></tcp-listener></listeners>
                    <persistence><mode>file</mode></persistence>
                    <mqtt>
                        <receive-maximum><server-receive-maximum>1000</server-receive-maximum></receive-maximum>
                        <queued-messages><max-queue-size>101000</max-queue-size></queued-messages>
                    </mqtt>
                    <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
                </hivemq>
                """
                        .formatted(port));
        unzip(home.resolve("extensions"));
        Files.writeString(
                home.resolve("extensions").resolve("hereabouts").resolve("conf").resolve("hereabouts.properties"),
                "http.port=0\n"
                        + settings.entrySet().stream()
                                .map(setting -> setting.getKey() + "=" + setting.getValue())
                                .collect(Collectors.joining("\n")));
        return new StandaloneHivemq(home, port, run(home));
    }

    /** One more setting, for the next start. */
    void set(String key, String value) throws IOException {
        Files.writeString(
                home.resolve("extensions").resolve("hereabouts").resolve("conf").resolve("hereabouts.properties"),
                "\n" + key + "=" + value + "\n",
                StandardOpenOption.APPEND);
    }

    /** Starts it again, as a supervisor would. */
    void restart() throws IOException {
        process = run(home);
    }

    int port() {
        return port;
    }

    /** What it printed since its first start. */
    String log() throws IOException {
        return Files.readString(home.resolve("output"));
    }

    boolean isRunning() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** SIGTERM; returns when the process is gone. */
    void stop() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static Process run(Path home) throws IOException {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> BROUGHT_BY_THE_EXTENSION.stream().noneMatch(entry::contains))
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-Dhivemq.home=" + home,
                        "-cp",
                        classPath,
                        "com.hivemq.HiveMQServer")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("output").toFile()))
                .start();
    }

    private static void unzip(Path extensions) throws IOException {
        try (InputStream file = Files.newInputStream(ZIP);
                ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path target = extensions.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    Files.createDirectories(target.getParent());
                    Files.copy(zip, target);
                }
            }
        }
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
