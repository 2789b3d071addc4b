package io.hereabouts.cli;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.Mqtt5ClientBuilder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command connects to an edge; the flags are those of mosquitto_sub and mosquitto_pub. */
final class MqttOptions {

    private static final int MAX_16_BITS = 65_535;

    // -h is the host, as in mosquitto's commands
    @Option(names = "--help", usageHelp = true, description = "show this help")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    @Option(
            names = {"-h", "--host"},
            paramLabel = "HOST",
            defaultValue = "${env:HEREABOUTS_MQTT_HOST:-127.0.0.1}",
            description = "host of the edge; default ${DEFAULT-VALUE}")
    String host = "127.0.0.1";

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "${env:HEREABOUTS_MQTT_PORT:-1883}",
            description = "port of the edge; default ${DEFAULT-VALUE}")
    int port;

    @Option(
            names = {"-i", "--id"},
            paramLabel = "CLIENT",
            description = "client id; default: a random one")
    private @Nullable String clientId;

    @Option(
            names = {"-u", "--username"},
            paramLabel = "NAME",
            description = "user name")
    private @Nullable String username;

    @Option(
            names = {"-P", "--pw"},
            paramLabel = "PASSWORD",
            description = "password")
    private @Nullable String password;

    @Option(
            names = {"-k", "--keepalive"},
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "keep-alive; default ${DEFAULT-VALUE}")
    private int keepAlive;

    @Option(
            names = {"-q", "--qos"},
            paramLabel = "QOS",
            defaultValue = "0",
            description = "quality of service; default ${DEFAULT-VALUE}")
    private int qos;

    MqttQos qos() throws InputException {
        MqttQos found = MqttQos.fromCode(qos);
        if (found == null) {
            throw new InputException("-q is " + qos + ", expected 0, 1 or 2");
        }
        return found;
    }

    int keepAlive() throws InputException {
        if (keepAlive < 0 || keepAlive > MAX_16_BITS) {
            throw new InputException("-k is " + keepAlive + ", expected 0 to " + MAX_16_BITS + " seconds");
        }
        return keepAlive;
    }

    Mqtt5ClientBuilder client() throws InputException {
        if (port < 1 || port > MAX_16_BITS) {
            throw new InputException("-p is " + port + ", expected 1 to " + MAX_16_BITS);
        }
        Mqtt5ClientBuilder builder = Mqtt5Client.builder()
                .identifier(clientId == null ? "hereabouts-" + UUID.randomUUID() : clientId)
                .serverHost(host)
                .serverPort(port);
        if (username == null) {
            return builder;
        }
        var auth = builder.simpleAuth().username(username);
        return password == null
                ? auth.applySimpleAuth()
                : auth.password(password.getBytes(StandardCharsets.UTF_8)).applySimpleAuth();
    }
}
