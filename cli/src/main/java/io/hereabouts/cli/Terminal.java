package io.hereabouts.cli;

import java.io.Console;
import java.util.Arrays;
import java.util.Optional;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarBuilder;

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

    /** A progress bar for a person; where there is none it draws nothing. */
    static ProgressBarBuilder progressBar() {
        ProgressBarBuilder builder = new ProgressBarBuilder();
        return find().isPresent() ? builder : builder.setConsumer(new DelegatingProgressBarConsumer(line -> {}));
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

    /** A password, typed twice and not shown. */
    String password() throws InputException {
        char[] first = console.readPassword("Password: ");
        char[] second = console.readPassword("Again: ");
        if (!Arrays.equals(first, second)) {
            throw new InputException("the two are not the same");
        }
        return first == null ? "" : new String(first);
    }

    /** True if the answer is yes. */
    boolean confirms(String question) {
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }
}
