package io.hereabouts.cli;

import io.hereabouts.schemas.settings.InvalidSettingsException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code hereabouts} command. Exit code 0: done; 1: it did not work out; 2: wrong use or wrong input, one line says why. */
@Command(
        name = "hereabouts",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Spatially aware publish/subscribe for MQTT 5 on Kafka.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DemoCommand.class,
            UpCommand.class,
            DoctorCommand.class,
            ExplainCommand.class,
            ComponentCommand.Router.class,
            ComponentCommand.Resolver.class,
            ComponentCommand.Edge.class,
            SubCommand.class,
            PubCommand.class,
            TopicsCommand.class,
            PasswordCommand.class,
            WorldCommand.class,
            ResolveCommand.class,
            ReplayCommand.class,
            PerfCommand.class,
        })
public final class Hereabouts implements Runnable {

    /** The exit code of wrong use and wrong input. */
    static final int USAGE = 2;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        return commandLine().execute(args);
    }

    static CommandLine commandLine() {
        return new CommandLine(new Hereabouts())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Hereabouts::wrongUse)
                .setExecutionExceptionHandler(Hereabouts::failed);
    }

    private static int wrongUse(ParameterException e, String[] args) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("hereabouts: " + oneLine(e.getMessage()) + "; see '"
                + command.getCommandSpec().qualifiedName() + " --help'");
        return USAGE;
    }

    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult result) {
        if (e instanceof InputException || e instanceof InvalidSettingsException) {
            command.getErr().println("hereabouts: " + oneLine(e.getMessage()));
            return USAGE;
        }
        if (e instanceof FailedException) {
            command.getErr().println("hereabouts: " + oneLine(e.getMessage()));
            return 1;
        }
        command.getErr().println("hereabouts: " + oneLine(e.getMessage() == null ? String.valueOf(e) : e.getMessage()));
        if (System.getenv("HEREABOUTS_DEBUG") != null) {
            e.printStackTrace(command.getErr());
        }
        return 1;
    }

    private static String oneLine(@Nullable String message) {
        return String.valueOf(message).strip().replaceAll(":\\s*\\R\\s*", ": ").replaceAll("\\s*\\R\\s*", "; ");
    }
}
