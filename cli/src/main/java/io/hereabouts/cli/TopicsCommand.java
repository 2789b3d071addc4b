package io.hereabouts.cli;

import io.hereabouts.schemas.kafka.TopicAdmin;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
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
        description = "Creates and checks the Kafka topics, and lets them grow.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {TopicsCommand.Init.class, TopicsCommand.Check.class, TopicsGrowCommand.class})
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

        @Option(names = "--json", description = "print what is wrong as a JSON list")
        private boolean json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            StackSettings settings =
                    options.load(partitions == 0 ? Map.of() : Map.of("topics.partitions", String.valueOf(partitions)));
            TopicCatalogue topics = Settings.topics(settings);
            try (TopicAdmin admin = new TopicAdmin(Settings.kafka(settings), topics)) {
                List<TopicSpec> fixed = admin.asGrown().fixed();
                List<String> created = admin.create(fixed);
                created.forEach(name -> spec.commandLine().getErr().println("created " + name));
                return report(admin.check(fixed), json, spec);
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

        @Option(names = "--json", description = "print what is wrong as a JSON list")
        private boolean json;

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws Exception {
            StackSettings settings = options.load();
            TopicCatalogue topics = Settings.topics(settings);
            try (TopicAdmin admin = new TopicAdmin(Settings.kafka(settings), topics)) {
                return report(admin.check(admin.asGrown().fixed()), json, spec);
            }
        }
    }

    private static int report(List<String> problems, boolean json, CommandSpec spec) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(problems));
        } else if (problems.isEmpty()) {
            out.println("all Kafka topics are as they should be");
        } else {
            problems.forEach(out::println);
        }
        return problems.isEmpty() ? 0 : 1;
    }
}
