package io.hereabouts.cli;

import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5MessageException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5PublishResult;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.replay.mqtt.Reasons;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code pub}: publishes, like mosquitto_pub, about an entity. */
@Command(
        name = "pub",
        description = "Publishes one message, or a line each of standard input, about an entity if one is given.")
final class PubCommand implements Callable<Integer> {

    @Mixin
    private MqttOptions mqtt;

    @Option(
            names = {"-t", "--topic"},
            required = true,
            paramLabel = "TOPIC",
            description = "topic name")
    private String topic = "";

    @Option(names = "--entity", paramLabel = "ID", description = "physical entity whose state this is")
    private @Nullable String entity;

    @Option(
            names = {"-r", "--retain"},
            description = "retain the message")
    private boolean retain;

    @Option(names = "--user-property", paramLabel = "NAME=VALUE", description = "a further user property; repeatable")
    private List<String> userProperties = List.of();

    @ArgGroup(multiplicity = "1")
    private Payload payload = new Payload();

    /** Where the payload comes from. */
    static final class Payload {
        @Option(
                names = {"-m", "--message"},
                paramLabel = "TEXT",
                description = "payload")
        private @Nullable String message;

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "payload from a file")
        private @Nullable Path file;

        @Option(
                names = {"-n", "--null-message"},
                description = "empty payload")
        private boolean empty;

        @Option(
                names = {"-s", "--stdin-file"},
                description = "payload from standard input")
        @SuppressWarnings("UnusedVariable") // what remains when no other of the group is given
        private boolean standardInput;

        @Option(
                names = {"-l", "--stdin-line"},
                description = "a message for each line of standard input")
        private boolean lines;
    }

    @Override
    public Integer call() throws Exception {
        Mqtt5Publish template = template();
        AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
        Mqtt5BlockingClient client = mqtt.client()
                .addDisconnectedListener(context -> end.set(context.getCause()))
                .buildBlocking();
        int keepAlive = mqtt.keepAlive();
        try {
            client.connectWith().keepAlive(keepAlive).send();
        } catch (RuntimeException e) {
            throw new FailedException("cannot connect to " + mqtt.host + ":" + mqtt.port + ": " + Reasons.of(e));
        }
        try {
            if (payload.lines) {
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    publish(client, template, line.getBytes(StandardCharsets.UTF_8), end);
                }
            } else {
                publish(client, template, bytes(), end);
            }
            return 0;
        } finally {
            if (client.getState().isConnected()) {
                client.disconnect();
            }
        }
    }

    private static void publish(
            Mqtt5BlockingClient client, Mqtt5Publish template, byte[] bytes, AtomicReference<@Nullable Throwable> end)
            throws FailedException {
        try {
            Mqtt5PublishResult result =
                    client.publish(template.extend().payload(bytes).build());
            if (result.getError().isPresent()) {
                throw new FailedException(
                        "refused: " + Reasons.of(result.getError().get()));
            }
        } catch (Mqtt5MessageException e) {
            throw new FailedException("refused: " + Reasons.of(e));
        } catch (RuntimeException e) {
            Throwable told = end.get();
            throw new FailedException("not published: " + Reasons.of(told == null ? e : told));
        }
    }

    private byte[] bytes() throws InputException {
        try {
            if (payload.message != null) {
                return payload.message.getBytes(StandardCharsets.UTF_8);
            }
            if (payload.file != null) {
                return Files.readAllBytes(payload.file);
            }
            return payload.empty ? new byte[0] : System.in.readAllBytes();
        } catch (IOException e) {
            throw InputException.unreadable("payload", e);
        }
    }

    private Mqtt5Publish template() throws InputException {
        try {
            Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
            if (entity != null) {
                properties = properties.add(UserPropertyNames.DEFAULT.entity(), entity);
            }
            for (String property : userProperties) {
                int equals = property.indexOf('=');
                if (equals < 1) {
                    throw new InputException("--user-property " + property + ": expected NAME=VALUE");
                }
                properties = properties.add(property.substring(0, equals), property.substring(equals + 1));
            }
            return Mqtt5Publish.builder()
                    .topic(TopicName.parse(topic).value())
                    .qos(mqtt.qos())
                    .retain(retain)
                    .userProperties(properties.build())
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InputException("-t " + topic + ": " + e.getMessage());
        }
    }
}
