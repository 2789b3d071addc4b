package io.hereabouts.perf.ledger;

import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.mqtt.MqttClient;
import io.hereabouts.perf.mqtt.MqttClient.Fate;
import io.hereabouts.replay.mqtt.MqttAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that publishes at one QoS, and knows what it may conclude from an answer, or from none. Its session outlives its
 * connections. Thread-safe.
 */
final class Publisher implements AutoCloseable {

    /**
     * What was written to a connection so long before it ended may not have arrived; a message of QoS 0 gets no answer that
     * would tell.
     */
    private static final long UNSURE_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final int qos;
    private final MqttClient client;
    private final AtomicInteger connectionsLost;
    private final AtomicInteger unanswered = new AtomicInteger();
    private final Deque<Sent> sent = new ArrayDeque<>();
    private final ExecutorService sender = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "ledger-publisher");
        thread.setDaemon(true);
        return thread;
    });

    private record Sent(Page page, int publication, long at, int connectionsLost) {}

    private Publisher(String name, int qos, MqttClient client, AtomicInteger connectionsLost) {
        this.name = name;
        this.qos = qos;
        this.client = client;
        this.connectionsLost = connectionsLost;
    }

    static Publisher connect(MqttAddress edge, String name, int qos, Runnable sessionLost)
            throws MeasurementException, InterruptedException {
        AtomicInteger connectionsLost = new AtomicInteger();
        MqttClient client = MqttClient.connectForGood(edge, name, m -> {}, new MqttClient.Session() {
            @Override
            public void connected(boolean sessionPresent) {
                if (!sessionPresent) {
                    sessionLost.run();
                }
            }

            @Override
            public void disconnected() {
                connectionsLost.incrementAndGet();
            }
        });
        return new Publisher(name, qos, client, connectionsLost);
    }

    String name() {
        return name;
    }

    int qos() {
        return qos;
    }

    /**
     * Publishes, sooner or later and in this order; the page is told what becomes of it. Returns at once: a client may hold up
     * who publishes while much is unanswered, and nobody else is to wait for that.
     */
    void publish(Page page, int publication, String topic, String entity) {
        unanswered.incrementAndGet();
        sender.execute(() -> send(page, publication, topic, entity));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // every outcome is told to the page
    private void send(Page page, int publication, String topic, String entity) {
        int before = connectionsLost.get();
        client.send(Mqtt5Publish.builder()
                        .topic(topic)
                        .qos(MqttClient.qos(qos))
                        .payload(String.valueOf(publication).getBytes(StandardCharsets.UTF_8))
                        .userProperties(MqttClient.about(entity))
                        .build())
                .thenAccept(fate -> {
                    answered(new Sent(page, publication, System.nanoTime(), before), fate);
                    unanswered.decrementAndGet();
                });
    }

    private void answered(Sent it, Fate fate) {
        boolean sameConnection = connectionsLost.get() == it.connectionsLost();
        if (fate == Fate.TAKEN && qos == 0) {
            synchronized (sent) {
                sent.add(it);
            }
        } else if (fate == Fate.TAKEN) {
            it.page().taken(it.publication(), !sameConnection);
        } else if (fate == Fate.REFUSED && sameConnection) {
            it.page().refused(it.publication());
        } else {
            it.page().inDoubt(it.publication());
        }
    }

    /** Concludes what became of messages of QoS 0: they were sent if their connection was still there a second later. */
    void conclude(long now) {
        synchronized (sent) {
            while (!sent.isEmpty() && now - sent.getFirst().at() > UNSURE_NANOS) {
                Sent it = sent.removeFirst();
                if (connectionsLost.get() == it.connectionsLost()) {
                    it.page().taken(it.publication(), false);
                } else {
                    it.page().inDoubt(it.publication());
                }
            }
        }
    }

    /** Whether it knows all that it will ever know. */
    boolean isDone() {
        synchronized (sent) {
            return sent.isEmpty() && unanswered.get() == 0;
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
        client.close();
    }
}
