package io.hereabouts.launcher.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.jspecify.annotations.Nullable;

/** Eclipse Paho for Java. */
final class PahoDevice implements Device {

    private final String id;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private @Nullable MqttAsyncClient listener;

    PahoDevice(String id) {
        this.id = id;
    }

    @Override
    public int listen(Door door, Wish wish) throws Exception {
        MqttConnectionOptions options = options(door);
        options.setCleanStart(wish.expirySeconds() == 0);
        options.setSessionExpiryInterval((long) wish.expirySeconds());
        Message will = wish.will();
        if (will != null) {
            options.setWill(will.topic(), message(will));
            options.setWillMessageProperties(properties("entity", will.entity()));
        }
        MqttAsyncClient client = client(door, id);
        listener = client;
        client.setCallback(new Hearing());
        try {
            client.connect(options).waitForCompletion();
        } catch (MqttException e) {
            return e.getReasonCode();
        }
        IMqttToken subscribed = client.subscribe(
                new MqttSubscription[] {new MqttSubscription(wish.topicFilter(), 1)},
                null,
                null,
                properties("neighborhood", wish.neighborhood()));
        subscribed.waitForCompletion();
        assertThat(subscribed.getReasonCodes()).containsExactly(1);
        return 0;
    }

    @Override
    public List<String> heard() {
        return heard;
    }

    @Override
    public void leave() throws Exception {
        MqttAsyncClient client = listener;
        if (client != null) {
            client.disconnect().waitForCompletion();
        }
    }

    @Override
    public void publish(Door door, Message message) throws Exception {
        MqttAsyncClient client = client(door, id + "-publishes");
        client.connect(options(door)).waitForCompletion();
        MqttMessage publish = message(message);
        publish.setRetained(message.retain());
        publish.setProperties(properties("entity", message.entity()));
        client.publish(message.topic(), publish).waitForCompletion();
        client.disconnect().waitForCompletion();
        client.close();
    }

    private static MqttAsyncClient client(Door door, String client) throws MqttException {
        return new MqttAsyncClient("ssl://localhost:" + door.port(), client, new MemoryPersistence());
    }

    private MqttConnectionOptions options(Door door) throws Exception {
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setSocketFactory(Trust.in(door.certificate()).context().getSocketFactory());
        options.setUserName(id);
        options.setPassword(door.token().getBytes(StandardCharsets.UTF_8));
        return options;
    }

    private static MqttMessage message(Message message) {
        MqttMessage publish = new MqttMessage(message.payload().getBytes(StandardCharsets.UTF_8));
        publish.setQos(1);
        return publish;
    }

    private static MqttProperties properties(String name, String value) {
        MqttProperties properties = new MqttProperties();
        properties.setUserProperties(List.of(new UserProperty(name, value)));
        return properties;
    }

    @Override
    public void close() {
        MqttAsyncClient client = listener;
        try {
            if (client != null) {
                client.disconnectForcibly(0, 1_000, false);
                client.close(true);
            }
        } catch (MqttException e) {
            // its connection had ended already
        }
    }

    /** Takes what comes and is not interested in anything else. */
    private final class Hearing implements MqttCallback {
        @Override
        public void messageArrived(String topic, MqttMessage message) {
            heard.add(Device.shown(new String(message.getPayload(), StandardCharsets.UTF_8), message.isRetained()));
        }

        @Override
        public void disconnected(MqttDisconnectResponse response) {}

        @Override
        public void mqttErrorOccurred(MqttException exception) {}

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String serverUri) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
