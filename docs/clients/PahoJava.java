import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;

/**
 * Subscribes a neighborhood and publishes a reading about an entity, with Paho for Java
 * (org.eclipse.paho:org.eclipse.paho.mqttv5.client).
 *
 * <p>usage: java -cp org.eclipse.paho.mqttv5.client-1.2.5.jar PahoJava.java PORT DESCRIPTOR-FILE ENTITY
 */
class PahoJava {
    public static void main(String[] args) throws Exception {
        String descriptor = Files.readString(Path.of(args[1])).replaceAll("\\R", " ");
        String entity = args[2];
        CountDownLatch got = new CountDownLatch(1);

        MqttAsyncClient client =
                new MqttAsyncClient("tcp://127.0.0.1:" + args[0], "paho-java", new MemoryPersistence());
        client.connect().waitForCompletion();

        MqttProperties subscribe = new MqttProperties();
        subscribe.setUserProperties(
                List.of(new UserProperty("neighborhood", descriptor), new UserProperty("neighborhood-id", "near")));
        client.setCallback(new MqttCallback() {
            @Override
            public void messageArrived(String topic, MqttMessage message) {
                StringBuilder told = new StringBuilder();
                message.getProperties()
                        .getUserProperties()
                        .forEach(p -> told.append(p.getKey()).append(':').append(p.getValue()).append(' '));
                System.out.println("got " + topic + " " + told + message);
                got.countDown();
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
        });
        client.subscribe(new MqttSubscription[] {new MqttSubscription("traffic/#", 1)}, null, null, subscribe)
                .waitForCompletion();

        MqttMessage message = new MqttMessage("{\"speed\": 57}".getBytes(StandardCharsets.UTF_8));
        message.setQos(1);
        MqttProperties publish = new MqttProperties();
        publish.setUserProperties(List.of(new UserProperty("entity", entity)));
        message.setProperties(publish);
        client.publish("traffic/now", message).waitForCompletion();

        got.await();
        client.disconnect().waitForCompletion();
        client.close();
    }
}
