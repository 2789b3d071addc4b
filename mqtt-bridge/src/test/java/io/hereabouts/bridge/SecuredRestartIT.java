package io.hereabouts.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import io.hereabouts.bridge.SecuredStack.Guest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions of an edge that asks who its clients are, when it is started again. */
class SecuredRestartIT {

    @TempDir
    Path folder;

    @Test
    void shouldKeepAClientIdForItsUserAndEndTheSessionWhenThatComesBack() {
        try (SecuredStack secured = new SecuredStack(folder)) {
            Edge first = secured.keeping("kept");
            Guest alice = secured.guest(first, "id", "alice");
            alice.mqtt.connectWith().sessionExpiryInterval(600).send();
            alice.mqtt
                    .subscribeWith()
                    .topicFilter("chat/bob")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .send();
            alice.mqtt.disconnect();
            await().untilAsserted(() -> assertThat(secured.stack.table(secured.stack.topics.sessions()))
                    .containsOnlyKeys("id"));
            first.close();

            Edge second = secured.keeping("kept");

            assertThat(secured.guest(second, "id", "bob").connack()).isEqualTo(0x87);
            assertThat(secured.refused("connect", "takeover")).isEqualTo(1);
            Guest again = secured.guest(second, "id", "alice");
            assertThat(again.mqtt
                            .connectWith()
                            .cleanStart(false)
                            .sessionExpiryInterval(600)
                            .send()
                            .isSessionPresent())
                    .as("under which rights it subscribed nobody knows")
                    .isFalse();
            again.mqtt.disconnectWith().sessionExpiryInterval(0).send();
        }
    }
}
