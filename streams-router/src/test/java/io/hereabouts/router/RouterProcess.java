package io.hereabouts.router;

import io.hereabouts.router.RouterConfig.Guarantee;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.testkit.process.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A {@link RouterMain} in a JVM of its own. */
final class RouterProcess implements AutoCloseable {

    private static final int KEPT_LINES = 400;

    private final Process process;
    private final CountDownLatch running = new CountDownLatch(1);
    private final Deque<String> lastLines = new ArrayDeque<>();

    private RouterProcess(Process process) {
        this.process = process;
    }

    /** Starts the JVM; the router in it waits for {@link #go}. */
    static RouterProcess prepare(KafkaConnection kafka, TopicCatalogue topics, boolean loads, Guarantee guarantee) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                RouterMain.class.getName(),
                kafka.bootstrapServers(),
                topics.prefix(),
                String.valueOf(topics.partitions()),
                String.valueOf(loads),
                guarantee.name()));
        try {
            RouterProcess router = new RouterProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
            Thread reader = new Thread(router::read, "router-process-" + router.process.pid());
            reader.setDaemon(true);
            reader.start();
            return router;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                keep(line);
                if (line.equals(RouterMain.RUNNING)) {
                    running.countDown();
                } else if (line.contains("ERROR") || line.contains("Exception") || line.contains("was replaced")) {
                    System.out.println("[router " + process.pid() + "] " + line);
                }
            }
        } catch (IOException e) {
            // the stream of a killed process may break off
        }
    }

    private synchronized void keep(String line) {
        lastLines.addLast(line);
        if (lastLines.size() > KEPT_LINES) {
            lastLines.removeFirst();
        }
    }

    /** What it printed last, with a dump of its threads if it lives: for a test that is about to fail. */
    String diagnosis() throws Exception {
        if (process.isAlive()) {
            Signals.dumpThreads(process);
            process.waitFor(2, TimeUnit.SECONDS);
        }
        synchronized (this) {
            return "router " + process.pid() + (process.isAlive() ? " lives" : " is gone") + "\n"
                    + String.join("\n", lastLines);
        }
    }

    void go() {
        try {
            OutputStream in = process.getOutputStream();
            in.write('\n');
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitRunning(Duration timeout) throws InterruptedException {
        if (!running.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("router process " + process.pid() + " does not run after " + timeout
                    + (process.isAlive() ? "" : ", it ended with " + process.exitValue()));
        }
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void stall() throws IOException, InterruptedException {
        Signals.stall(process);
    }

    void wake() throws IOException, InterruptedException {
        Signals.wake(process);
    }

    @Override
    public void close() {
        kill();
    }
}
