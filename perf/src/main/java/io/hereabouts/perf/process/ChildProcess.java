package io.hereabouts.perf.process;

import io.hereabouts.launcher.Component.Kind;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.testkit.process.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A broker or a stack in a JVM of its own, with the class path of this one. Ends with this JVM at the latest. */
public final class ChildProcess implements AutoCloseable {

    /** What a process is measured with. */
    private static final List<String> MEASURED = List.of("-Xmx1g");

    /** What a process has that shares a small machine with many, and is started again and again. */
    private static final List<String> SMALL =
            List.of("-Xmx384m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

    private static final long END_SECONDS = 30;

    private final Process process;
    private final String address;

    private ChildProcess(Process process, String address) {
        this.process = process;
        this.address = address;
    }

    private static final String LOG_LEVEL = "HEREABOUTS_LOG";

    /** A Kafka broker with its data in this folder; {@link #address} is {@code host:port}. */
    public static ChildProcess kafka(Path folder) throws MeasurementException {
        return start(Component.KAFKA, List.of(folder.toString(), "0"));
    }

    /** The same on this port, small. */
    public static ChildProcess kafka(Path folder, int port) throws MeasurementException {
        return start(Component.KAFKA, List.of(folder.toString(), String.valueOf(port)), SMALL, false);
    }

    /**
     * A router, a resolver or an edge as its command starts it, small, with these settings, {@code key=value};
     * {@link #address} is its port for metrics and health.
     */
    public static ChildProcess part(Kind kind, Collection<String> settings) throws MeasurementException {
        List<String> arguments = new ArrayList<>(List.of(kind.name()));
        arguments.addAll(settings);
        return start(Component.PART, arguments, SMALL, false);
    }

    /**
     * HiveMQ CE as an edge configures it, without the bridge, on this free port.
     *
     * @param sessions folder in which it keeps sessions; empty: in memory
     */
    public static ChildProcess plainBroker(int port, Optional<Path> sessions) throws MeasurementException {
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(port)));
        sessions.map(Path::toString).ifPresent(arguments::add);
        return start(Component.PLAIN, arguments);
    }

    /** The embedded stack with these settings, {@code key=value}; {@link #address} is {@code host:port mqtt-port}. */
    public static ChildProcess stack(Collection<String> settings) throws MeasurementException {
        return start(Component.STACK, settings);
    }

    /**
     * One more edge with these settings, {@code key=value}; {@link #address} is its port.
     *
     * @param environment whether the settings of the environment count as well
     */
    public static ChildProcess edge(String id, Collection<String> settings, boolean environment)
            throws MeasurementException {
        List<String> arguments = new ArrayList<>(List.of(id));
        arguments.addAll(settings);
        return start(Component.EDGE, arguments, MEASURED, environment);
    }

    private static ChildProcess start(Component component, Collection<String> arguments) throws MeasurementException {
        return start(component, arguments, MEASURED, false);
    }

    private static ChildProcess start(
            Component component, Collection<String> arguments, List<String> options, boolean environment)
            throws MeasurementException {
        String name = component.name().toLowerCase(Locale.ROOT);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(inherited());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName(), name));
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            if (!environment) {
                builder.environment().keySet().removeIf(key -> key.startsWith("HEREABOUTS_") && !key.equals(LOG_LEVEL));
            }
            Process process = builder.start();
            ChildProcess child = new ChildProcess(process, addressOf(name, process));
            // its output must never fill the pipe
            Thread drain = new Thread(child::drain, "perf-" + name);
            drain.setDaemon(true);
            drain.start();
            return child;
        } catch (IOException e) {
            throw new MeasurementException(name + " cannot be started", e);
        }
    }

    /** One that does not become ready is gone. */
    private static String addressOf(String name, Process process) throws IOException, MeasurementException {
        try {
            return address(name, process);
        } catch (IOException | MeasurementException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static String address(String name, Process process) throws IOException, MeasurementException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(ChildMain.READY)) {
                return line.substring(ChildMain.READY.length());
            }
            if (line.startsWith(ChildMain.FAILED)) {
                throw new MeasurementException(name + " did not start: " + line.substring(ChildMain.FAILED.length()));
            }
        }
        throw new MeasurementException(name + " ended before it was ready");
    }

    /** Arguments of this JVM that every other needs, too. */
    public static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(a -> a.startsWith("--enable-native") || a.startsWith("--sun-misc") || a.startsWith("-Dlogback"))
                .toList();
    }

    /** Where it listens. */
    public String address() {
        return address;
    }

    /** CPU time that all its threads have used, its compiler's and garbage collector's included. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** SIGKILL; returns when it is gone. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** SIGSTOP: it holds what it has and does nothing, until {@link #wake}. */
    public void stall() throws IOException, InterruptedException {
        Signals.stall(process);
    }

    /** SIGCONT. */
    public void wake() throws IOException, InterruptedException {
        Signals.wake(process);
    }

    private void drain() {
        try (InputStream out = process.getInputStream()) {
            out.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // the stream of a process that ends may break off
        }
    }

    /** Lets it close what it opened; kills it if that takes too long. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
