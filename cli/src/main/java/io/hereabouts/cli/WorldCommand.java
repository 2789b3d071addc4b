package io.hereabouts.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code world}: the physical entities. */
@Command(
        name = "world",
        mixinStandardHelpOptions = true,
        description = "Fills, checks, lists and exports the world of physical entities.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WorldImportCommand.class,
            WorldGenerateCommand.class,
            WorldListCommand.class,
            WorldStatsCommand.class,
            WorldValidateCommand.class,
            WorldExportCommand.class,
        })
final class WorldCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
