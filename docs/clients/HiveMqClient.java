import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Subscribes a neighborhood and publishes a reading about an entity, with the HiveMQ MQTT client
 * (com.hivemq:hivemq-mqtt-client-shaded).
 *
 * <p>usage: java -cp hivemq-mqtt-client-shaded-1.3.7.jar HiveMqClient.java PORT DESCRIPTOR-FILE ENTITY
 */
class HiveMqClient {
    public static void main(String[] args) throws Exception {
        String descriptor = Files.readString(Path.of(args[1])).replaceAll("\\R", " ");
        Mqtt5BlockingClient client = Mqtt5Client.builder()
                .serverHost("127.0.0.1")
                .serverPort(Integer.parseInt(args[0]))
                .buildBlocking();
        client.connect();
        try (Mqtt5BlockingClient.Mqtt5Publishes publishes = client.publishes(MqttGlobalPublishFilter.ALL)) {
            // throws Mqtt5SubAckException with code and reason string when it is refused
            client.subscribe(Mqtt5Subscribe.builder()
                    .topicFilter("traffic/#")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .userProperties(Mqtt5UserProperties.builder()
                            .add("neighborhood", descriptor)
                            .add("neighborhood-id", "near")
                            .build())
                    .build());
            client.publish(Mqtt5Publish.builder()
                    .topic("traffic/now")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .payload("{\"speed\": 57}".getBytes(StandardCharsets.UTF_8))
                    .userProperties(
                            Mqtt5UserProperties.builder().add("entity", args[2]).build())
                    .build());
            Mqtt5Publish got = publishes.receive();
            StringBuilder told = new StringBuilder();
            got.getUserProperties()
                    .asList()
                    .forEach(p -> told.append(p.getName()).append(':').append(p.getValue()).append(' '));
            System.out.println("got " + got.getTopic() + " " + told
                    + new String(got.getPayloadAsBytes(), StandardCharsets.UTF_8));
        }
        client.disconnect();
    }
}
