package io.hereabouts.cli;

import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.config.StackSettings;
import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code topics}: what Kafka topics there should be. */
@Command(
        name = "topics",
        mixinStandardHelpOptions = true,
        description = "Creates and checks the Kafka topics.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopicsCommand.Init.class, TopicsCommand.Check.class})
final class TopicsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            description =
                    "Creates the Kafka topics that are missing; exit code 1 if one that exists is not as it should be.")
    static final class Init implements Callable<Integer> {

        @Mixin
        private SettingsOptions options;

        @Option(names = "--partitions", paramLabel = "N", description = "of publications and filters; default 12")
        private int partitions;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            StackSettings settings = options.load(
                    partitions == 0
                            ? java.util.Map.of()
                            : java.util.Map.of("topics.partitions", String.valueOf(partitions)));
            TopicCatalogue topics = Wiring.topics(settings);
            try (TopicAdmin admin = new TopicAdmin(SettingsOptions.kafka(settings), topics)) {
                List<String> created = admin.create(topics.fixed());
                created.forEach(name -> spec.commandLine().getOut().println("created " + name));
                return report(admin.check(topics.fixed()), spec);
            }
        }
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Compares the Kafka topics with what they should be; exit code 1 if one differs.")
    static final class Check implements Callable<Integer> {

        @Mixin
        private SettingsOptions options;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            StackSettings settings = options.load();
            TopicCatalogue topics = Wiring.topics(settings);
            try (TopicAdmin admin = new TopicAdmin(SettingsOptions.kafka(settings), topics)) {
                return report(admin.check(topics.fixed()), spec);
            }
        }
    }

    private static int report(List<String> problems, CommandSpec spec) {
        problems.forEach(spec.commandLine().getOut()::println);
        if (problems.isEmpty()) {
            spec.commandLine().getOut().println("all Kafka topics are as they should be");
        }
        return problems.isEmpty() ? 0 : 1;
    }
}
