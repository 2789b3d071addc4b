package io.hereabouts.perf.ledger;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.process.ChildProcess;
import io.hereabouts.testkit.process.Http;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A process of the stack, and the one that is started in its place. Faults come from one thread; any other may look at it.
 */
final class Node implements AutoCloseable {

    /** Starts the process; returns when it works. */
    @FunctionalInterface
    interface Start {
        ChildProcess now() throws MeasurementException;
    }

    private final String name;
    private final Start start;
    private final boolean hasEndpoint;
    private volatile @Nullable ChildProcess process;

    /** @param hasEndpoint whether its address is the port of its metrics and health */
    Node(String name, boolean hasEndpoint, Start start) {
        this.name = name;
        this.hasEndpoint = hasEndpoint;
        this.start = start;
    }

    void start() throws MeasurementException {
        process = start.now();
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        ChildProcess running = process;
        if (running != null) {
            process = null;
            running.kill();
        }
    }

    /** Lets it close what it has. */
    void stop() {
        ChildProcess running = process;
        if (running != null) {
            process = null;
            running.close();
        }
    }

    /** SIGSTOP. */
    void stall() throws InterruptedException {
        signal(ChildProcess::stall);
    }

    /** SIGCONT. */
    void wake() throws InterruptedException {
        signal(ChildProcess::wake);
    }

    private interface Signal {
        void to(ChildProcess process) throws IOException, InterruptedException;
    }

    private void signal(Signal signal) throws InterruptedException {
        ChildProcess running = process;
        if (running == null) {
            throw new IllegalStateException(name + " does not run");
        }
        try {
            signal.to(running);
        } catch (IOException e) {
            throw new IllegalStateException("no signal to " + name, e);
        }
    }

    /** What runs now; null while nothing does. */
    @Nullable
    ChildProcess process() {
        return process;
    }

    /** What is wrong with it; empty if it does its work, or cannot say. */
    Optional<String> wrong() throws InterruptedException {
        ChildProcess running = process;
        if (running == null) {
            return Optional.of(name + " does not run");
        }
        if (!hasEndpoint) {
            return Optional.empty();
        }
        try {
            Http http = new Http(Integer.parseInt(running.address()));
            return http.status("/health/ready") == 200
                    ? Optional.empty()
                    : Optional.of(name + ": " + http.get("/health/ready").body());
        } catch (IOException e) {
            return Optional.of(name + " does not answer");
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return name;
    }
}
