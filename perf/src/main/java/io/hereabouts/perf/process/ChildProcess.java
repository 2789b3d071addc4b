package io.hereabouts.perf.process;

import io.hereabouts.perf.MeasurementException;
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

    private static final String MAX_HEAP = "-Xmx1g";
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
        return start(Component.KAFKA, List.of(folder.toString()));
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
        return start(Component.EDGE, arguments, environment);
    }

    private static ChildProcess start(Component component, Collection<String> arguments) throws MeasurementException {
        return start(component, arguments, false);
    }

    private static ChildProcess start(Component component, Collection<String> arguments, boolean environment)
            throws MeasurementException {
        String name = component.name().toLowerCase(Locale.ROOT);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(MAX_HEAP);
        command.addAll(inherited());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName(), name));
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            if (!environment) {
                builder.environment().keySet().removeIf(key -> key.startsWith("HEREABOUTS_") && !key.equals(LOG_LEVEL));
            }
            Process process = builder.start();
            ChildProcess child = new ChildProcess(process, address(name, process));
            // its output must never fill the pipe
            Thread drain = new Thread(child::drain, "perf-" + name);
            drain.setDaemon(true);
            drain.start();
            return child;
        } catch (IOException e) {
            throw new MeasurementException(name + " cannot be started", e);
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
