package io.hereabouts.cli;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.lifecycle.MqttDisconnectSource;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.schemas.settings.DurationConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sub}: subscribes and prints what comes, like mosquitto_sub, with a neighborhood. */
@Command(
        name = "sub",
        mixinStandardHelpOptions = false,
        description = "Subscribes to topic filters, within a neighborhood if one is given, and prints what comes.")
final class SubCommand implements Callable<Integer> {

    @Mixin
    private MqttOptions mqtt;

    @Option(
            names = {"-t", "--topic"},
            required = true,
            paramLabel = "FILTER",
            description = "topic filter; repeatable")
    private List<String> topics = List.of();

    @Option(
            names = "--neighborhood",
            paramLabel = "FILE",
            description = "neighborhood descriptor, JSON; - for standard input")
    private @Nullable Path neighborhood;

    @Option(names = "--neighborhood-id", paramLabel = "ID", description = "name of the neighborhood for this client")
    private @Nullable String neighborhoodId;

    @Option(names = "-C", paramLabel = "COUNT", description = "stop after this many publications")
    private int count;

    @Option(
            names = "-W",
            paramLabel = "SECONDS",
            description = "stop after this long; exit code 1 if -C is not reached")
    private int seconds;

    @Option(names = "--for", paramLabel = "DURATION", description = "stop after this long, e.g. 20s; exit code 0")
    private @Nullable String duration;

    @Option(
            names = {"-v", "--verbose"},
            description = "print the topic name before the payload")
    private boolean verbose;

    @Option(names = "--json", description = "print one JSON object a publication")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final AtomicInteger received = new AtomicInteger();

    @Override
    public Integer call() throws Exception {
        Mqtt5Subscribe subscribe = subscribe();
        Duration limit = limit();
        CompletableFuture<Mqtt5AsyncClient> self = new CompletableFuture<>();
        AtomicBoolean once = new AtomicBoolean();
        Mqtt5AsyncClient client = mqtt.client()
                .addConnectedListener(context -> {
                    once.set(true);
                    send(self.join(), subscribe);
                })
                .addDisconnectedListener(context -> context.getReconnector()
                        .reconnect(once.get() && context.getSource() != MqttDisconnectSource.USER && !end.isDone())
                        .delay(1, TimeUnit.SECONDS))
                .buildAsync();
        self.complete(client);
        client.publishes(MqttGlobalPublishFilter.ALL, this::print);
        try {
            connect(client, limit);
            return await(limit);
        } finally {
            client.disconnect()
                    .exceptionally(e -> null)
                    .completeOnTimeout(null, 5, TimeUnit.SECONDS)
                    .join();
            spec.commandLine().getOut().flush();
        }
    }

    private void connect(Mqtt5AsyncClient client, Duration limit) throws Exception {
        try {
            client.connectWith().keepAlive(mqtt.keepAlive()).send().get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new FailedException("cannot connect to " + mqtt.host + ":" + mqtt.port + ": "
                    + (e instanceof TimeoutException ? "no answer in time" : Reasons.of(e)));
        }
    }

    private int await(Duration limit) throws Exception {
        try {
            return end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return count > 0 && received.get() < count && duration == null ? 1 : 0;
        } catch (ExecutionException e) {
            throw new FailedException("refused: " + Reasons.of(e));
        }
    }

    private void send(Mqtt5AsyncClient client, Mqtt5Subscribe subscribe) {
        client.subscribe(subscribe)
                .thenRun(() -> {
                    spec.commandLine().getErr().println("subscribed");
                    spec.commandLine().getErr().flush();
                })
                .exceptionally(e -> {
                    end.completeExceptionally(e);
                    return null;
                });
    }

    private void print(Mqtt5Publish publish) {
        PrintWriter out = spec.commandLine().getOut();
        synchronized (out) {
            if (count > 0 && received.get() >= count) {
                return;
            }
            out.println(json ? Publishes.json(publish) : Publishes.text(publish, verbose));
            out.flush();
            if (received.incrementAndGet() == count) {
                end.complete(0);
            }
        }
    }

    private Duration limit() throws InputException {
        try {
            if (duration != null) {
                return DurationConverter.parse(duration);
            }
            return seconds > 0 ? Duration.ofSeconds(seconds) : Duration.ofDays(36_500);
        } catch (IllegalArgumentException e) {
            throw new InputException("--for: " + e.getMessage());
        }
    }

    private Mqtt5Subscribe subscribe() throws InputException {
        List<Mqtt5Subscription> subscriptions = new ArrayList<>();
        for (String topic : topics) {
            try {
                subscriptions.add(Mqtt5Subscription.builder()
                        .topicFilter(TopicFilter.parse(topic).value())
                        .qos(mqtt.qos())
                        .build());
            } catch (IllegalArgumentException e) {
                throw new InputException("-t " + topic + ": " + e.getMessage());
            }
        }
        return Mqtt5Subscribe.builder()
                .addSubscriptions(subscriptions)
                .userProperties(properties())
                .build();
    }

    private Mqtt5UserProperties properties() throws InputException {
        Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
        if (neighborhood != null) {
            try {
                String text = neighborhood.toString().equals("-")
                        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                        : Files.readString(neighborhood);
                properties = properties.add(UserPropertyNames.DEFAULT.neighborhood(), DescriptorParser.onOneLine(text));
            } catch (IOException e) {
                throw InputException.unreadable("--neighborhood " + neighborhood, e);
            } catch (IllegalArgumentException e) {
                throw new InputException("--neighborhood " + neighborhood + ": " + e.getMessage());
            }
        }
        if (neighborhoodId != null) {
            properties = properties.add(UserPropertyNames.DEFAULT.neighborhoodId(), neighborhoodId);
        }
        return properties.build();
    }
}
