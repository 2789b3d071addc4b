package io.hereabouts.perf.mqtt;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.nio.charset.StandardCharsets;

/** What comes by one neighborhood of publications that are numbered. Thread-safe. */
final class Arrivals {

    private String neighborhood = "";
    private int count;
    private int lastNumber;
    private long firstAt;
    private long lastAt;

    /** Looks at what comes by this neighborhood from now on. */
    synchronized void watch(String name) {
        neighborhood = name;
        count = 0;
        lastNumber = -1;
    }

    synchronized void received(Mqtt5Publish message) {
        if (MqttClient.isIn(message, neighborhood)) {
            lastAt = System.nanoTime();
            firstAt = count++ == 0 ? lastAt : firstAt;
            lastNumber = Integer.parseInt(new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8));
            notifyAll();
        }
    }

    /** Whether anything has come. */
    synchronized boolean any() {
        return count > 0;
    }

    /** Nano time of the first, if there is any. */
    synchronized long firstAt() {
        return firstAt;
    }

    /** Nano time of the last, if there is any. */
    synchronized long lastAt() {
        return lastAt;
    }

    /** Whether the publication with this number, or a later one, has come in time. */
    synchronized boolean await(int number, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (lastNumber < number) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(Math.max(1, left / 1_000_000));
        }
        return true;
    }
}
