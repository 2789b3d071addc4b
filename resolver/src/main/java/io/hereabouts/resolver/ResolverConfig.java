package io.hereabouts.resolver;

import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of one resolver. Immutable.
 *
 * @param groupId begins the name of the consumer group; resolvers of one group divide the neighborhoods among themselves
 * @param threads how many neighborhoods are resolved at the same time, at least 1
 * @param linger how long the slices of a neighborhood stay after its last interest, not negative
 * @param sessionTimeout after how long without a sign of life another resolver takes over, 1 s to 5 min
 * @param edgeExpiry after how long without a heartbeat an edge is gone and what it left is removed, at least 1 s
 * @param maxPending how many requests may be unfinished before no more are read, at least 1
 */
public record ResolverConfig(
        KafkaConnection kafka,
        TopicCatalogue topics,
        String groupId,
        int threads,
        Duration linger,
        Duration sessionTimeout,
        int maxPending,
        Duration edgeExpiry) {

    private static final Duration SHORTEST_EXPIRY = Duration.ofSeconds(1);

    /** @throws IllegalArgumentException naming every setting that is wrong */
    public ResolverConfig {
        List<String> problems = new ArrayList<>();
        if (groupId.isBlank()) {
            problems.add("resolver.group is blank, expected a name");
        }
        if (threads < 1) {
            problems.add("resolver.threads is " + threads + ", expected at least 1");
        }
        if (linger.isNegative()) {
            problems.add("neighborhood.linger is " + linger + ", expected 0 or more");
        }
        if (sessionTimeout.compareTo(Duration.ofSeconds(1)) < 0
                || sessionTimeout.compareTo(Duration.ofMinutes(5)) > 0) {
            problems.add("resolver.session-timeout is " + sessionTimeout + ", expected PT1S to PT5M");
        }
        if (maxPending < 1) {
            problems.add("resolver.max-pending is " + maxPending + ", expected at least 1");
        }
        if (edgeExpiry.compareTo(SHORTEST_EXPIRY) < 0) {
            problems.add("edge.expiry is " + edgeExpiry + ", expected at least " + SHORTEST_EXPIRY);
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
    }

    /** Group {@code <prefix>resolver}, 2 threads, slices stay a minute, session timeout 10 s, 10,000 requests, edges expire after 1 h. */
    public static ResolverConfig withDefaults(KafkaConnection kafka, TopicCatalogue topics) {
        return new ResolverConfig(
                kafka,
                topics,
                topics.prefix() + "resolver",
                2,
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                10_000,
                Duration.ofHours(1));
    }

    /** The same for another generation of the Kafka topics. */
    public ResolverConfig at(Generation generation) {
        return new ResolverConfig(
                kafka, topics.at(generation), groupId, threads, linger, sessionTimeout, maxPending, edgeExpiry);
    }

    /** The consumer group: one for each generation. */
    public String group() {
        return groupId + topics.generation().suffix();
    }

    /** The same with another time that slices stay. */
    public ResolverConfig withLinger(Duration newLinger) {
        return new ResolverConfig(kafka, topics, groupId, threads, newLinger, sessionTimeout, maxPending, edgeExpiry);
    }

    /** The same with another session timeout. */
    public ResolverConfig withSessionTimeout(Duration newTimeout) {
        return new ResolverConfig(kafka, topics, groupId, threads, linger, newTimeout, maxPending, edgeExpiry);
    }

    /** The same with another time after which edges are gone. */
    public ResolverConfig withEdgeExpiry(Duration newExpiry) {
        return new ResolverConfig(kafka, topics, groupId, threads, linger, sessionTimeout, maxPending, newExpiry);
    }
}
