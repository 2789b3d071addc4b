package io.hereabouts.cli;

import io.hereabouts.bridge.access.PasswordHash;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code password}. An argument would be there for all to see who list the processes. */
@Command(
        name = "password",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the hash of a password for the security file (Argon2id); see docs/security.md.",
            "Asks for the password at a terminal, else reads the first line of the standard input."
        })
final class PasswordCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the rest
    PasswordCommand() {}

    @Override
    public Integer call() throws Exception {
        Optional<Terminal> terminal = Terminal.find();
        String password = terminal.isPresent() ? terminal.get().password() : firstLine();
        try {
            spec.commandLine().getOut().println(PasswordHash.of(password));
            return 0;
        } catch (IllegalArgumentException e) {
            throw new InputException(String.valueOf(e.getMessage()));
        }
    }

    private static String firstLine() throws Exception {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? "" : line;
    }
}
