package io.hereabouts.cli;

import java.io.Console;
import java.util.Optional;

/** The person at the terminal, if there is one. */
final class Terminal {

    private static final int CONSOLE_IS_NEVER_NULL = 22;

    private final Console console;

    private Terminal(Console console) {
        this.console = console;
    }

    /** Empty where input or output go to a file or another program. */
    @SuppressWarnings("SystemConsoleNull") // the second check is for where it is not null
    static Optional<Terminal> find() {
        Console console = System.console();
        return console == null || !isTerminal(console) ? Optional.empty() : Optional.of(new Terminal(console));
    }

    private static boolean isTerminal(Console console) {
        if (Runtime.version().feature() < CONSOLE_IS_NEVER_NULL) {
            return true;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }

    /** True if the answer is yes. */
    boolean confirms(String question) {
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }
}
