package io.hereabouts.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.hereabouts.launcher.Wiring;
import io.hereabouts.launcher.kafka.Explanation;
import io.hereabouts.launcher.kafka.Explanation.Path;
import io.hereabouts.launcher.kafka.Explanation.Step;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code explain}: why did I not get it? */
@Command(
        name = "explain",
        description = {
            "Says why a client gets, or does not get, what is published about an entity.",
            "For each of its subscriptions: what has to be so, from the subscription to the router, as Kafka has it.",
            "Then what its edge says of it: what waits for it, what was dropped last. Changes nothing.",
            "Exit code 0 if it gets it by one of them, 1 if by none."
        })
final class ExplainCommand implements Callable<Integer> {

    @Mixin
    private SettingsOptions options;

    @Option(names = "--client", paramLabel = "ID", required = true, description = "client id of the subscriber")
    private String client = "";

    @Option(names = "--entity", paramLabel = "ID", required = true, description = "that is published about")
    private String entity = "";

    @Option(names = "--topic", paramLabel = "NAME", description = "topic name that is published to; default: any")
    private @Nullable String topic;

    @Option(
            names = "--edge-http",
            paramLabel = "HOST:PORT",
            description = "where the client's edge has its metrics and health; default: http.host and http.port")
    private @Nullable String edgeHttp;

    @Option(names = "--json", description = "print the findings as JSON")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        EntityId about = PerfOutput.checked(() -> EntityId.of(entity));
        String to = topic;
        TopicName name = to == null ? null : PerfOutput.checked(() -> TopicName.parse(to));
        StackSettings settings = options.load();
        Wiring wiring = Wiring.of(settings);
        String host = settings.http().host();
        String address = edgeHttp == null
                ? (host.contains(":") ? "[" + host + "]" : host) + ":"
                        + settings.http().port()
                : edgeHttp;
        URI http = PerfOutput.checked(() -> EdgeQuestion.at(address));
        List<Path> paths;
        try {
            paths = Explanation.of(wiring.kafka(), wiring.topics(), client, about, name, Clock.systemUTC());
        } catch (TimeoutException e) {
            throw new FailedException("Kafka at " + wiring.kafka().bootstrapServers() + ": " + e.getMessage());
        }
        EdgeQuestion.Answer edge = EdgeQuestion.ask(http, client);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.of(new Explained(paths, edge.report())));
        } else {
            print(paths, out);
            out.println(edge.text());
        }
        return paths.stream().anyMatch(Path::holds) ? 0 : 1;
    }

    /** What is printed as JSON. */
    private record Explained(List<Path> subscriptions, JsonNode edge) {}

    private void print(List<Path> paths, PrintWriter out) {
        if (paths.isEmpty()) {
            out.println("client " + client + " has no subscription that publications with an entity may reach:"
                    + " it is not connected, its session has ended, or its SUBSCRIBE was refused");
        }
        for (Path path : paths) {
            out.println(path.subscription());
            for (Step step : path.steps()) {
                out.println((step.holds() ? "  ok      " : "  BUT     ") + step.text());
            }
        }
        if (paths.stream().anyMatch(Path::holds)) {
            out.println("It goes to the client's edge. What has become of it there:");
        }
    }
}
