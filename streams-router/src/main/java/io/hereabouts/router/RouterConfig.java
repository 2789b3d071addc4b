package io.hereabouts.router;

import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a router runs. Immutable; a value that is out of range is refused with all others.
 *
 * @param kafka how to reach Kafka
 * @param topics names of the Kafka topics and their number of partitions
 * @param applicationId begins the name of the Kafka consumer group; routers with the same one share the partitions
 * @param threads stream threads, 1 to 256
 * @param guarantee what happens to publications in flight when a router dies
 * @param commitInterval how often offsets are committed; what is repeated after a kill, at most
 * @param sessionTimeout how long Kafka waits for a silent router before others take its partitions; at least 300 ms
 * @param transactionTimeout only with {@link Guarantee#EXACTLY_ONCE}: how long a killed router's transaction holds back
 *     what was written after it; longer than the commit interval
 * @param linger how long deliveries wait for others to share a request with
 * @param instanceId a stable name that lets a restart within the session timeout keep its partitions
 * @param edgeCheckInterval how often the Kafka topics of interested edges are checked
 * @param edgeSilence after how long without a heartbeat an edge gets nothing of a group that has other edges; at least 1 s
 * @param topicCacheBytes bound of what each partition remembers of topic names
 */
public record RouterConfig(
        KafkaConnection kafka,
        TopicCatalogue topics,
        String applicationId,
        int threads,
        Guarantee guarantee,
        Duration commitInterval,
        Duration sessionTimeout,
        Duration transactionTimeout,
        Duration linger,
        Optional<String> instanceId,
        Duration edgeCheckInterval,
        Duration edgeSilence,
        long topicCacheBytes) {

    /** What happens to publications in flight when a router dies. */
    public enum Guarantee {
        /** The next owner routes them again; edges drop what they have seen. */
        AT_LEAST_ONCE,
        /** Deliveries and offsets become visible together, at commit. */
        EXACTLY_ONCE
    }

    private static final Duration MIN_SESSION = Duration.ofMillis(300);
    private static final Duration MIN_SILENCE = Duration.ofSeconds(1);

    public RouterConfig {
        List<String> wrong = new ArrayList<>();
        require(!applicationId.isBlank(), "router.application-id is blank", wrong);
        require(threads >= 1 && threads <= 256, "router.threads is " + threads + ", expected 1 to 256", wrong);
        requirePositive("router.commit-interval", commitInterval, wrong);
        require(
                sessionTimeout.compareTo(MIN_SESSION) >= 0,
                "router.session-timeout is " + sessionTimeout + ", expected at least " + MIN_SESSION,
                wrong);
        require(
                guarantee == Guarantee.AT_LEAST_ONCE || transactionTimeout.compareTo(commitInterval) > 0,
                "router.commit-interval is " + commitInterval + ", expected less than the transaction timeout of "
                        + transactionTimeout,
                wrong);
        require(
                !linger.isNegative() && linger.compareTo(Duration.ofSeconds(1)) <= 0,
                "router.linger is " + linger + ", expected 0 to 1 s",
                wrong);
        require(
                instanceId.map(id -> !id.isBlank()).orElse(true),
                "router.instance-id is blank, leave it out or name it",
                wrong);
        requirePositive("router.edge-check-interval", edgeCheckInterval, wrong);
        require(
                edgeSilence.compareTo(MIN_SILENCE) >= 0,
                "router.edge-silence is " + edgeSilence + ", expected at least " + MIN_SILENCE,
                wrong);
        require(
                topicCacheBytes >= 65_536,
                "router.topic-cache-bytes is " + topicCacheBytes + ", expected at least 65536",
                wrong);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", wrong));
        }
    }

    /** The defaults, for this Kafka and these topics. */
    public static RouterConfig defaults(KafkaConnection kafka, TopicCatalogue topics) {
        return builder(kafka, topics).build();
    }

    /** The same for another generation of the Kafka topics. */
    public RouterConfig at(Generation generation) {
        return new RouterConfig(
                kafka,
                topics.at(generation),
                applicationId,
                threads,
                guarantee,
                commitInterval,
                sessionTimeout,
                transactionTimeout,
                linger,
                instanceId,
                edgeCheckInterval,
                edgeSilence,
                topicCacheBytes);
    }

    /** The Kafka consumer group: one for each generation. */
    public String group() {
        return applicationId + topics.generation().suffix();
    }

    /** Begins with the defaults: one thread, at least once, commits every second, 10 s of patience. */
    public static Builder builder(KafkaConnection kafka, TopicCatalogue topics) {
        return new Builder(kafka, topics);
    }

    /** Collects what differs from the defaults. Not thread-safe. */
    public static final class Builder {
        private final KafkaConnection kafka;
        private final TopicCatalogue topics;
        private String applicationId;
        private int threads = 1;
        private Guarantee guarantee = Guarantee.AT_LEAST_ONCE;
        private Duration commitInterval = Duration.ofSeconds(1);
        private Duration sessionTimeout = Duration.ofSeconds(10);
        private Duration transactionTimeout = Duration.ofSeconds(4);
        private Duration linger = Duration.ZERO;
        private Optional<String> instanceId = Optional.empty();
        private Duration edgeCheckInterval = Duration.ofSeconds(5);
        /** Three heartbeats. */
        private Duration edgeSilence = Duration.ofSeconds(30);

        private long topicCacheBytes = 4L << 20;

        private Builder(KafkaConnection kafka, TopicCatalogue topics) {
            this.kafka = kafka;
            this.topics = topics;
            this.applicationId = topics.routerGroups();
        }

        public Builder applicationId(String value) {
            applicationId = value;
            return this;
        }

        public Builder threads(int value) {
            threads = value;
            return this;
        }

        public Builder guarantee(Guarantee value) {
            guarantee = value;
            return this;
        }

        public Builder commitInterval(Duration value) {
            commitInterval = value;
            return this;
        }

        public Builder sessionTimeout(Duration value) {
            sessionTimeout = value;
            return this;
        }

        public Builder transactionTimeout(Duration value) {
            transactionTimeout = value;
            return this;
        }

        public Builder linger(Duration value) {
            linger = value;
            return this;
        }

        public Builder instanceId(String value) {
            instanceId = Optional.of(value);
            return this;
        }

        public Builder edgeCheckInterval(Duration value) {
            edgeCheckInterval = value;
            return this;
        }

        public Builder edgeSilence(Duration value) {
            edgeSilence = value;
            return this;
        }

        public Builder topicCacheBytes(long value) {
            topicCacheBytes = value;
            return this;
        }

        /** @throws IllegalArgumentException naming everything that is out of range, a line each */
        public RouterConfig build() {
            return new RouterConfig(
                    kafka,
                    topics,
                    applicationId,
                    threads,
                    guarantee,
                    commitInterval,
                    sessionTimeout,
                    transactionTimeout,
                    linger,
                    instanceId,
                    edgeCheckInterval,
                    edgeSilence,
                    topicCacheBytes);
        }
    }

    private static void requirePositive(String key, Duration value, List<String> wrong) {
        require(value.toMillis() >= 1, key + " is " + value + ", expected at least 1 ms", wrong);
    }

    private static void require(boolean holds, String otherwise, List<String> wrong) {
        if (!holds) {
            wrong.add(otherwise);
        }
    }
}
