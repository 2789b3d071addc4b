package io.hereabouts.perf.process;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/**
 * Runs one {@link Component} until standard input ends, so that it never outlives who started it. Prints {@code ready}
 * and where it listens, or {@code failed} and why.
 */
public final class ChildMain {

    static final String READY = "ready ";
    static final String FAILED = "failed ";

    private ChildMain() {}

    public static void main(String[] args) throws Exception {
        Component.Running running;
        try {
            running = Component.valueOf(args[0].toUpperCase(Locale.ROOT))
                    .start(Arrays.asList(args).subList(1, args.length));
        } catch (Exception e) {
            System.out.println(
                    FAILED + String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString()));
            System.exit(1);
            return;
        }
        System.out.println(READY + running.address());
        awaitEndOfInput();
        running.part().close();
        System.exit(0);
    }

    private static void awaitEndOfInput() throws IOException {
        int read;
        do {
            read = System.in.read();
        } while (read >= 0);
    }
}
