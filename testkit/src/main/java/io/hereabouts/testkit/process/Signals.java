package io.hereabouts.testkit.process;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** POSIX signals to a process. No state. */
public final class Signals {

    private static final int TIMEOUT_SECONDS = 10;

    private Signals() {}

    /** SIGSTOP: the process holds what it has and does nothing, until {@link #wake}. */
    public static void stall(Process process) throws IOException, InterruptedException {
        send("STOP", process);
    }

    /** SIGCONT. */
    public static void wake(Process process) throws IOException, InterruptedException {
        send("CONT", process);
    }

    /** SIGQUIT: a JVM prints its threads. */
    public static void dumpThreads(Process process) throws IOException, InterruptedException {
        send("QUIT", process);
    }

    private static void send(String signal, Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start();
        if (!kill.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IllegalStateException("kill -" + signal + " " + process.pid() + " failed");
        }
    }
}
