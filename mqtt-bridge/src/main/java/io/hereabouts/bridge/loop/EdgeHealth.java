package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.kafka.ClaimReader;
import io.hereabouts.bridge.kafka.DeliveryReader;
import io.hereabouts.bridge.kafka.KafkaHealth;
import io.hereabouts.bridge.kafka.Lease;
import io.hereabouts.bridge.kafka.LeaseWatch;
import io.hereabouts.bridge.kafka.RetainedReader;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.ops.HealthCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * How an edge is: whether its threads live, clients can connect, Kafka takes what it writes, and its lease is fresh. Thread-safe.
 *
 * @param listener where clients connect, once the broker listens
 * @param heartbeat of the lease
 */
public record EdgeHealth(
        EdgeLoop loop,
        DeliveryReader reader,
        RetainedReader retained,
        ClaimReader claims,
        GenerationsTopic generations,
        KafkaHealth kafka,
        Lease lease,
        LeaseWatch watch,
        Supplier<InetSocketAddress> listener,
        Clock clock,
        Duration heartbeat)
        implements HealthCheck {

    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int MISSED_HEARTBEATS = 3;

    @Override
    public Optional<String> dead() {
        if (watch.loss().isPresent()) {
            return watch.loss();
        }
        if (!loop.isAlive()) {
            return Optional.of("the edge's thread has ended");
        }
        if (!generations.isAlive()) {
            return Optional.of("the thread that follows the generations has ended");
        }
        if (!retained.isAlive()) {
            return Optional.of("the reader of retained publications has ended");
        }
        if (!claims.isAlive()) {
            return Optional.of("the reader of claims to sessions has ended");
        }
        return reader.isAlive() ? Optional.empty() : Optional.of("the reader of deliveries has ended");
    }

    @Override
    public List<String> notReady() {
        List<String> reasons = new ArrayList<>();
        if (kafka.isDown()) {
            reasons.add("Kafka does not answer: publications with an entity are refused");
        }
        checkLease(reasons);
        checkListener(reasons);
        return reasons;
    }

    /** Asks on the edge's thread, which also shows that it gets on with its work. */
    private void checkLease(List<String> reasons) {
        try {
            Optional<Duration> age = CompletableFuture.supplyAsync(() -> lease.age(clock.millis()), loop)
                    .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            if (age.isEmpty()) {
                reasons.add("its lease is not in Kafka yet");
            } else if (age.get().compareTo(heartbeat.multipliedBy(MISSED_HEARTBEATS)) > 0) {
                reasons.add("Kafka has not taken its lease for " + age.get().toSeconds() + " s");
            }
        } catch (TimeoutException e) {
            reasons.add("the edge's thread has not got to this question within " + TIMEOUT_MILLIS + " ms");
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading the lease's age fails", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            reasons.add("interrupted while asking the edge's thread");
        }
    }

    private void checkListener(List<String> reasons) {
        InetSocketAddress bound = listener.get();
        InetSocketAddress from =
                bound.getAddress() != null && bound.getAddress().isAnyLocalAddress()
                        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort())
                        : bound;
        try (Socket socket = new Socket()) {
            socket.connect(from, TIMEOUT_MILLIS);
        } catch (IOException e) {
            reasons.add("MQTT clients cannot connect to " + from + ": " + e.getMessage());
        }
    }
}
