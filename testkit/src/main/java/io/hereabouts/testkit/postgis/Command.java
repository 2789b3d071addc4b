package io.hereabouts.testkit.postgis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a command to its end. No state. */
final class Command {

    private Command() {}

    /** How it ended, and all that it printed. */
    record Result(int exitCode, String output) {}

    /** A command that cannot be started gives exit code 127, as in a shell. */
    static Result run(List<String> command, Map<String, String> environment) {
        Path output = null;
        try {
            // a file and not a pipe: a daemon that the command leaves behind would keep a pipe open
            output = Files.createTempFile("hereabouts-command", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(new File("/"))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            int exitCode;
            try {
                exitCode = builder.start().waitFor();
            } catch (IOException e) {
                return new Result(127, String.valueOf(e.getMessage()));
            }
            return new Result(
                    exitCode, Files.readString(output, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command.get(0), e);
        } finally {
            if (output != null) {
                output.toFile().delete();
            }
        }
    }
}
