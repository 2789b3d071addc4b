package io.hereabouts.launcher.demo;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperties;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserPropertiesBuilder;
import com.hivemq.client.mqtt.mqtt5.datatypes.Mqtt5UserProperty;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.testkit.guarantee.Delivered;
import io.hereabouts.testkit.guarantee.Guarantees;
import io.hereabouts.testkit.oracle.Subscribed;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One MQTT client with one subscription that reports what it gets. Thread-safe. */
final class DemoSubscriber {

    private final Subscribed subscription;
    private final @Nullable String descriptorText;
    private final Mqtt5AsyncClient client;
    private final AtomicLong delivered = new AtomicLong();

    DemoSubscriber(Subscribed subscription, @Nullable String descriptorText, String host, int port) {
        this.subscription = subscription;
        this.descriptorText = descriptorText;
        this.client = Mqtt5Client.builder()
                .identifier(subscription.client())
                .serverHost(host)
                .serverPort(port)
                .buildAsync();
    }

    Subscribed subscription() {
        return subscription;
    }

    long delivered() {
        return delivered.get();
    }

    /** Connects and subscribes; returns when the subscription is active. */
    void start(Guarantees guarantees, Consumer<String> print) {
        client.publishes(MqttGlobalPublishFilter.ALL, publish -> received(publish, guarantees, print));
        client.connect().join();
        Mqtt5UserPropertiesBuilder properties = Mqtt5UserProperties.builder();
        if (descriptorText != null) {
            properties = properties
                    .add(UserPropertyNames.DEFAULT.neighborhood(), DescriptorParser.onOneLine(descriptorText))
                    .add(UserPropertyNames.DEFAULT.neighborhoodId(), subscription.neighborhoodId());
        }
        client.subscribe(Mqtt5Subscribe.builder()
                        .topicFilter(subscription.topicFilter())
                        .qos(Objects.requireNonNull(MqttQos.fromCode(subscription.qos())))
                        .userProperties(properties.build())
                        .build())
                .join();
    }

    void stop() {
        client.disconnect().exceptionally(e -> null).join();
    }

    private void received(Mqtt5Publish publish, Guarantees guarantees, Consumer<String> print) {
        List<String> ids = new ArrayList<>();
        String entity = "";
        for (Mqtt5UserProperty property : publish.getUserProperties().asList()) {
            String name = property.getName().toString();
            if (name.equals(UserPropertyNames.DEFAULT.neighborhoodId())) {
                ids.add(property.getValue().toString());
            } else if (name.equals(UserPropertyNames.DEFAULT.entity())) {
                entity = property.getValue().toString();
            }
        }
        Optional<Reading> own = publish.getTopic().toString().equals(Demo.TOPIC)
                ? Reading.parse(publish.getPayloadAsBytes())
                : Optional.empty();
        if (own.isEmpty()) {
            // a visitor's: delivered rightly, but not in our books
            return;
        }
        Reading reading = own.get();
        delivered.incrementAndGet();
        guarantees.delivered(Delivered.of(
                reading.id(), subscription.client(), ids, publish.getQos().getCode()));
        print.accept(String.format(
                "%-12s %-18s %s%s",
                subscription.client(), entity, reading, ids.isEmpty() ? "" : "  in " + String.join(", ", ids)));
    }
}
