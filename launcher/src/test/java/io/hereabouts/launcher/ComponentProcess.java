package io.hereabouts.launcher;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.testkit.process.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A router, resolver or edge in a process of its own that can be killed. Its log goes to this process' standard error. */
final class ComponentProcess implements AutoCloseable {

    private final Process process;
    private final CompletableFuture<String> ready = new CompletableFuture<>();
    private final CompletableFuture<String> failed = new CompletableFuture<>();
    private final CompletableFuture<Integer> http = new CompletableFuture<>();

    private ComponentProcess(Process process) {
        this.process = process;
    }

    /**
     * Starts an edge on Kafka topics with three partitions.
     *
     * @param port 0 for any free one
     */
    static ComponentProcess edge(KafkaConnection kafka, String id, int port, Path data) {
        return start(
                "edge",
                Map.of(
                        "kafka.bootstrap-servers",
                        kafka.bootstrapServers(),
                        "topics.partitions",
                        "3",
                        "mqtt.port",
                        String.valueOf(port),
                        "edge.id",
                        id,
                        "data",
                        data.toString()));
    }

    /** Starts it with these settings; its HTTP port is any free one if they name none. */
    static ComponentProcess start(String component, Map<String, String> settings) {
        return start(component, settings, System.getProperty("java.class.path"));
    }

    /** The same with other classes. */
    static ComponentProcess start(String component, Map<String, String> settings, String classPath) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                ComponentMain.class.getName(),
                component));
        if (!settings.containsKey("http.port")) {
            command.add("http.port=0");
        }
        settings.forEach((key, value) -> command.add(key + "=" + value));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            ComponentProcess started = new ComponentProcess(process);
            Thread reader = new Thread(started::read, component + "-output");
            reader.setDaemon(true);
            reader.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("http ")) {
                    http.complete(Integer.parseInt(line.substring("http ".length())));
                }
                if (line.startsWith("failed ")) {
                    failed.complete(line.substring("failed ".length()));
                }
                if (line.startsWith("ready")) {
                    ready.complete(line.substring("ready".length()).strip());
                }
            }
            failed.complete("");
            ready.completeExceptionally(new IllegalStateException("the process ended before it was ready"));
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
    }

    /** What it printed behind {@code ready}: an edge's port. */
    String awaitReady() throws Exception {
        return ready.get(120, TimeUnit.SECONDS);
    }

    /** Where it answers about itself, once it is ready. */
    int httpPort() throws Exception {
        awaitReady();
        return http.join();
    }

    /** Waits until it has ended of itself with exit code 1; the reason. */
    String awaitFailure() throws Exception {
        String reason = failed.get(120, TimeUnit.SECONDS);
        if (process.waitFor() != 1) {
            throw new IllegalStateException("exit code " + process.exitValue() + ", " + reason);
        }
        return reason;
    }

    /** SIGTERM; the exit code. */
    int terminate(Duration atMost) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("still running " + atMost + " after SIGTERM");
        }
        return process.exitValue();
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP: it holds what it has and does nothing, until {@link #wake}. */
    void stall() throws IOException, InterruptedException {
        Signals.stall(process);
    }

    /** SIGCONT. */
    void wake() throws IOException, InterruptedException {
        Signals.wake(process);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
