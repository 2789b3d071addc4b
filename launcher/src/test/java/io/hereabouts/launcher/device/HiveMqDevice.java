package io.hereabouts.launcher.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The HiveMQ MQTT client. */
final class HiveMqDevice implements Device {

    private final String id;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private @Nullable Mqtt5BlockingClient listener;

    HiveMqDevice(String id) {
        this.id = id;
    }

    @Override
    public int listen(Door door, Wish wish) throws Exception {
        Mqtt5BlockingClient client = client(door, id);
        client.toAsync()
                .publishes(
                        MqttGlobalPublishFilter.ALL,
                        p -> heard.add(
                                Device.shown(new String(p.getPayloadAsBytes(), StandardCharsets.UTF_8), p.isRetain())));
        Mqtt5ConnectBuilder connect = Mqtt5Connect.builder()
                .cleanStart(wish.expirySeconds() == 0)
                .sessionExpiryInterval(wish.expirySeconds());
        Message will = wish.will();
        if (will != null) {
            connect = connect.willPublish(publish(will));
        }
        try {
            client.connect(connect.build());
        } catch (Mqtt5ConnAckException e) {
            return e.getMqttMessage().getReasonCode().getCode();
        }
        listener = client;
        assertThat(client.subscribe(Mqtt5Subscribe.builder()
                                .topicFilter(wish.topicFilter())
                                .qos(MqttQos.AT_LEAST_ONCE)
                                .userProperties(property("neighborhood", wish.neighborhood()))
                                .build())
                        .getReasonCodes())
                .allMatch(code -> code.getCode() == 1);
        return 0;
    }

    @Override
    public List<String> heard() {
        return heard;
    }

    @Override
    public void leave() {
        Mqtt5BlockingClient client = listener;
        if (client != null) {
            client.disconnect();
        }
    }

    @Override
    public void publish(Door door, Message message) throws Exception {
        Mqtt5BlockingClient client = client(door, id + "-publishes");
        client.connect();
        client.publish(publish(message));
        client.disconnect();
    }

    private Mqtt5BlockingClient client(Door door, String client) throws Exception {
        return Mqtt5Client.builder()
                .identifier(client)
                .serverHost("localhost")
                .serverPort(door.port())
                .sslConfig(MqttClientSslConfig.builder()
                        .trustManagerFactory(Trust.in(door.certificate()).managers())
                        .build())
                .simpleAuth()
                .username(id)
                .password(door.token().getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth()
                .buildBlocking();
    }

    private static Mqtt5Publish publish(Message message) {
        return Mqtt5Publish.builder()
                .topic(message.topic())
                .qos(MqttQos.AT_LEAST_ONCE)
                .retain(message.retain())
                .payload(message.payload().getBytes(StandardCharsets.UTF_8))
                .userProperties(property("entity", message.entity()))
                .build();
    }

    private static Mqtt5UserProperties property(String name, String value) {
        return Mqtt5UserProperties.builder().add(name, value).build();
    }

    @Override
    public void close() {
        Mqtt5BlockingClient client = listener;
        if (client != null && client.getState().isConnected()) {
            client.disconnect();
        }
    }
}
