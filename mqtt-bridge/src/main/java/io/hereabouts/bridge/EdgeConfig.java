package io.hereabouts.bridge;

import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.publish.CarriedTopics;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.descriptor.DescriptorLimits;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import io.hereabouts.schemas.settings.InvalidSettingsException;
import io.hereabouts.schemas.settings.Settings;
import io.hereabouts.schemas.settings.StackSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an edge is to run. Immutable; make one with {@link #builder}.
 *
 * @param edge names the edge; two running edges must not share it
 * @param listeners where to listen
 * @param sessions folder in which the broker keeps sessions; empty: in memory, which no session outlives
 * @param limits what is bounded, in number, size and time
 * @param security where it is written who may do what; empty: everybody may do everything
 * @param strictEntities whether a publication about an entity that the world does not have is refused
 * @param carried what is carried to the other edges, and from them, besides publications about entities
 * @param disconnectsSlow whether a client for which too much waits is disconnected; either way what is too much is dropped
 * @param inPipeline whether deliveries leave through HiveMQ's own pipeline if they can, or by interceptors of its SDK
 */
public record EdgeConfig(
        EdgeId edge,
        Listeners listeners,
        Optional<Path> sessions,
        KafkaConnection kafka,
        TopicCatalogue topics,
        UserPropertyNames userProperties,
        DescriptorLimits descriptors,
        Limits limits,
        boolean strictEntities,
        boolean disconnectsSlow,
        boolean inPipeline,
        CarriedTopics carried,
        Optional<Access.Settings> security) {

    /**
     * @param publishTimeout how long an acknowledgement waits for Kafka before the client is disconnected
     * @param subscribeTimeout how long a SUBSCRIBE may take to become active; half of a client's keep-alive if that is
     *     less
     * @param retry after which an unanswered interest is repeated
     * @param heartbeat of the edge's lease
     * @param compare after which it is looked again whether broker and edge have the same subscriptions
     * @param window copies that a client may have at the broker, for each QoS
     * @param queue copies of QoS 1 and 2 that a client may have at the broker if sessions are kept
     * @param pendingBytes of copies that wait for one client, for each QoS
     * @param qos0Bytes of QoS 0 publications on their way to Kafka
     * @param maxPayloadBytes of a spatial publication
     * @param receiveMaximum unacknowledged PUBLISHes that a client may send
     * @param maxPacket that a client may send, in bytes
     * @param plainQueue messages beyond the window that HiveMQ queues for a client
     * @param retainedBytes of retained publications about entities that are kept in memory
     */
    public record Limits(
            Duration publishTimeout,
            Duration subscribeTimeout,
            Duration retry,
            Duration heartbeat,
            Duration compare,
            int window,
            int queue,
            long pendingBytes,
            long qos0Bytes,
            int maxPayloadBytes,
            int maxPacket,
            int receiveMaximum,
            int plainQueue,
            long retainedBytes) {

        /** 10 s, 15 s, 2 s, 10 s, 30 s, 1,000, 100,000, 64 MiB, 16 MiB, 1 MiB, 2 MiB, 1,000, 1,000, 64 MiB. */
        public static final Limits DEFAULT = new Limits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(15),
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                1_000,
                100_000,
                64L << 20,
                16L << 20,
                1 << 20,
                2 << 20,
                1_000,
                1_000,
                64L << 20);

        /**
         * Messages that HiveMQ is to queue for a client: what the edge counts on, and the plain ones.
         *
         * @param sessionsAreKept whether all that waits is with HiveMQ
         */
        public int queueLimit(boolean sessionsAreKept) {
            return (sessionsAreKept ? queue : window) + plainQueue;
        }
    }

    /** What MQTT's variable byte integers can say, and what a descriptor in a SUBSCRIBE needs. */
    private static final int MAX_PACKET = 268_435_460;

    private static final int MIN_PACKET = 1 << 20;
    private static final int MAX_RECEIVE_MAXIMUM = 65_535;
    /** With as many plain ones HiveMQ's own limit is still a number that it takes. */
    private static final int MAX_QUEUE = 10_000_000;

    /** Leaves room for topic, properties and the delivery's own fields below Kafka's record limits. */
    private static final int MAX_PAYLOAD = 1_900_000;

    public EdgeConfig {
        List<String> problems = new ArrayList<>();
        listeners.check(problems);
        security.ifPresent(s -> {
            positive(problems, "security.reload", s.reload());
            check(problems, Files.isReadable(s.file()), "security.file", s.file(), "a file that can be read");
        });
        check(
                problems,
                limits.maxPacket() >= MIN_PACKET && limits.maxPacket() <= MAX_PACKET,
                "mqtt.max-packet",
                limits.maxPacket(),
                MIN_PACKET + " to " + MAX_PACKET);
        positive(problems, "edge.publish-timeout", limits.publishTimeout());
        positive(problems, "edge.subscribe-timeout", limits.subscribeTimeout());
        positive(problems, "edge.retry", limits.retry());
        positive(problems, "edge.heartbeat", limits.heartbeat());
        positive(problems, "edge.compare", limits.compare());
        check(problems, limits.window() >= 1, "edge.window", limits.window(), "at least 1");
        check(
                problems,
                limits.queue() >= 1 && limits.queue() <= MAX_QUEUE,
                "edge.queue-messages",
                limits.queue(),
                "1 to " + MAX_QUEUE);
        check(problems, limits.pendingBytes() >= 0, "edge.queue-bytes", limits.pendingBytes(), "at least 0");
        check(problems, limits.qos0Bytes() >= 1, "edge.qos0-bytes", limits.qos0Bytes(), "at least 1");
        check(
                problems,
                limits.maxPayloadBytes() >= 1 && limits.maxPayloadBytes() <= MAX_PAYLOAD,
                "edge.max-payload",
                limits.maxPayloadBytes(),
                "1 to " + MAX_PAYLOAD);
        check(
                problems,
                limits.receiveMaximum() >= 1 && limits.receiveMaximum() <= MAX_RECEIVE_MAXIMUM,
                "edge.receive-maximum",
                limits.receiveMaximum(),
                "1 to " + MAX_RECEIVE_MAXIMUM);
        check(
                problems,
                descriptors.maxBytes() <= DescriptorLimits.MAX_SENT_BYTES,
                "neighborhood.max-bytes",
                descriptors.maxBytes(),
                "at most " + DescriptorLimits.MAX_SENT_BYTES);
        check(problems, limits.plainQueue() >= 1, "edge.plain-queue", limits.plainQueue(), "at least 1");
        check(problems, limits.retainedBytes() >= 0, "edge.retained-bytes", limits.retainedBytes(), "at least 0");
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** Whether a session outlives the process of the edge. */
    public boolean keepsSessions() {
        return sessions.isPresent();
    }

    /** Messages that the broker is to queue for a client. */
    public int queueLimit() {
        return limits.queueLimit(keepsSessions());
    }

    /** Begins with the defaults: any free port of localhost. */
    public static Builder builder(EdgeId edge, KafkaConnection kafka, TopicCatalogue topics) {
        return new Builder(edge, kafka, topics);
    }

    /**
     * The configuration that these settings mean; what they do not name stays at its default.
     *
     * @param sessions folder in which the broker keeps sessions; empty: in memory
     * @throws InvalidSettingsException if there cannot be such Kafka topics or such limits
     * @throws IllegalArgumentException with everything else that is wrong
     */
    public static EdgeConfig of(EdgeId edge, StackSettings settings, KafkaConnection kafka, Optional<Path> sessions)
            throws InvalidSettingsException {
        Limits limits = Limits.DEFAULT;
        return builder(edge, kafka, Settings.topics(settings))
                .listen(Listeners.of(settings.mqtt()))
                .sessions(sessions)
                .descriptors(Settings.descriptorLimits(settings))
                .strictEntities(settings.edge().strictEntities())
                .carry(carried(settings))
                .deliverInPipeline(settings.edge().inPipeline())
                .disconnectSlow(settings.edge().slowClients() == StackSettings.SlowClients.DISCONNECT)
                .security(security(settings))
                .limits(new Limits(
                        settings.edge().publishTimeout(),
                        settings.edge().subscribeTimeout(),
                        limits.retry(),
                        limits.heartbeat(),
                        limits.compare(),
                        limits.window(),
                        settings.edge().queueMessages(),
                        settings.edge().queueBytes(),
                        limits.qos0Bytes(),
                        settings.edge().maxPayload(),
                        settings.mqtt().maxPacket(),
                        limits.receiveMaximum(),
                        limits.plainQueue(),
                        settings.edge().retainedBytes()))
                .build();
    }

    /** Where an edge with this data folder keeps sessions, if it is to. */
    public static Optional<Path> sessions(StackSettings settings) {
        return settings.mqtt().persistence() == StackSettings.Persistence.FILE
                ? Optional.of(settings.data().resolve("mqtt"))
                : Optional.empty();
    }

    private static CarriedTopics carried(StackSettings settings) {
        try {
            return CarriedTopics.of(settings.bridge().topics().orElse(List.of()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("bridge.topics: " + e.getMessage(), e);
        }
    }

    private static Optional<Access.Settings> security(StackSettings settings) {
        if (settings.security().file().isPresent() && settings.mqtt().allowAnonymous()) {
            throw new IllegalArgumentException(
                    "mqtt.allow-anonymous is 'true' although there is a security.file: set it to false, and say in that file"
                            + " under 'anonymous' what clients without credentials may do");
        }
        return settings.security()
                .file()
                .map(file -> new Access.Settings(
                        file,
                        settings.security().reload(),
                        settings.mqtt().tls().userFromCertificate()));
    }

    private static void positive(List<String> problems, String key, Duration value) {
        check(problems, value.toMillis() >= 1, key, value, "at least 1 ms");
    }

    private static void check(List<String> problems, boolean fine, String key, Object value, String expected) {
        if (!fine) {
            problems.add(key + " is '" + value + "', expected " + expected);
        }
    }

    /** Collects what differs from the defaults. Not thread-safe. */
    public static final class Builder {
        private final EdgeId edge;
        private final KafkaConnection kafka;
        private final TopicCatalogue topics;
        private Listeners listeners = Listeners.tcp("localhost", 0);
        private Optional<Path> sessions = Optional.empty();
        private UserPropertyNames userProperties = UserPropertyNames.DEFAULT;
        private DescriptorLimits descriptors = DescriptorLimits.DEFAULT;
        private Limits limits = Limits.DEFAULT;
        private boolean strictEntities;
        private boolean disconnectsSlow;
        private boolean inPipeline = true;
        private CarriedTopics carried = CarriedTopics.NONE;
        private Optional<Access.Settings> security = Optional.empty();

        private Builder(EdgeId edge, KafkaConnection kafka, TopicCatalogue topics) {
            this.edge = edge;
            this.kafka = kafka;
            this.topics = topics;
        }

        /** Where to listen; port 0 for any free one. */
        public Builder listen(String onHost, int onPort) {
            return listen(Listeners.tcp(onHost, onPort));
        }

        /** Where to listen. */
        public Builder listen(Listeners at) {
            this.listeners = at;
            return this;
        }

        /** Where sessions are kept. */
        public Builder sessions(Optional<Path> folder) {
            this.sessions = folder;
            return this;
        }

        public Builder userProperties(UserPropertyNames names) {
            this.userProperties = names;
            return this;
        }

        public Builder descriptors(DescriptorLimits limit) {
            this.descriptors = limit;
            return this;
        }

        public Builder limits(Limits limit) {
            this.limits = limit;
            return this;
        }

        /** Refuse publications about entities that the world does not have. */
        public Builder strictEntities(boolean strict) {
            this.strictEntities = strict;
            return this;
        }

        /** Disconnect clients that do not keep up. */
        public Builder disconnectSlow(boolean disconnect) {
            this.disconnectsSlow = disconnect;
            return this;
        }

        /** Deliver through HiveMQ's own pipeline, or by interceptors. */
        public Builder deliverInPipeline(boolean in) {
            this.inPipeline = in;
            return this;
        }

        /** Carry messages on these topics to the other edges, and from them. */
        public Builder carry(CarriedTopics topics) {
            this.carried = topics;
            return this;
        }

        /** Who may do what. */
        public Builder security(Optional<Access.Settings> settings) {
            this.security = settings;
            return this;
        }

        /** @throws IllegalArgumentException with everything that is wrong */
        public EdgeConfig build() {
            return new EdgeConfig(
                    edge,
                    listeners,
                    sessions,
                    kafka,
                    topics,
                    userProperties,
                    descriptors,
                    limits,
                    strictEntities,
                    disconnectsSlow,
                    inPipeline,
                    carried,
                    security);
        }
    }
}
