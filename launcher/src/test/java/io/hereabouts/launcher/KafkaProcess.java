package io.hereabouts.launcher;

import io.hereabouts.launcher.kafka.KafkaMain;
import io.hereabouts.testkit.process.CutableProxy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Kafka broker in a process of its own that can be killed and started again on the same port and data. Besides its own
 * port it has lines that can fail one by one: who comes through one is sent back to it by every answer.
 */
final class KafkaProcess implements AutoCloseable {

    private final List<CutableProxy> lines = new ArrayList<>();
    private final List<String> command;
    private final int port;
    private Process process;

    /** Starts it and returns when it answers. */
    KafkaProcess(Path data, int lineCount) throws IOException {
        this.port = freePort();
        this.command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaMain.class.getName(),
                data.toString(),
                String.valueOf(port)));
        for (int i = 0; i < lineCount; i++) {
            int listener = freePort();
            CutableProxy line = CutableProxy.to("127.0.0.1", listener);
            lines.add(line);
            command.add(String.valueOf(listener));
            command.add(String.valueOf(line.port()));
        }
        this.process = start();
    }

    String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    List<CutableProxy> lines() {
        return List.copyOf(lines);
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGTERM; returns when it has ended. */
    void terminate() {
        process.destroy();
        process.onExit().join();
    }

    /** Starts it again, and returns when it answers. */
    void restart() throws IOException {
        process = start();
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals("ready")) {
                return started;
            }
        }
        throw new IOException("Kafka ended before it was ready");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        for (CutableProxy line : lines) {
            line.close();
        }
    }
}
