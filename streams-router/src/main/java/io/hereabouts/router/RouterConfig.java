package io.hereabouts.router;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How a router runs. Immutable; a value that is out of range is refused with all others.
 *
 * @param kafka how to reach Kafka
 * @param topics names of the Kafka topics and their number of partitions
 * @param applicationId the Kafka consumer group; routers with the same one share the partitions
 * @param threads stream threads, 1 to 256
 * @param guarantee what happens to publications in flight when a router dies
 * @param commitInterval how often offsets are committed; what is repeated after a kill, at most
 * @param sessionTimeout how long Kafka waits for a silent router before others take its partitions; at least 300 ms
 * @param transactionTimeout only with {@link Guarantee#EXACTLY_ONCE}: how long a killed router's transaction holds back
 *     what was written after it; longer than the commit interval
 * @param linger how long deliveries wait for others to share a request with
 * @param instanceId a stable name that lets a restart within the session timeout keep its partitions
 * @param edgeCheckInterval how often the Kafka topics of interested edges are checked
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
        long topicCacheBytes) {

    /** What happens to publications in flight when a router dies. */
    public enum Guarantee {
        /** The next owner routes them again; edges drop what they have seen. */
        AT_LEAST_ONCE,
        /** Deliveries and offsets become visible together, at commit. */
        EXACTLY_ONCE
    }

    private static final Duration MIN_SESSION = Duration.ofMillis(300);

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
                "router.transaction-timeout is " + transactionTimeout + ", expected more than the commit interval, "
                        + commitInterval,
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
                topicCacheBytes >= 65_536,
                "router.topic-cache-bytes is " + topicCacheBytes + ", expected at least 65536",
                wrong);
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", wrong));
        }
    }

    /** The defaults, for this Kafka and these topics. */
    public static RouterConfig defaults(KafkaConnection kafka, TopicCatalogue topics) {
        return parse(kafka, topics, Map.of());
    }

    /**
     * Reads settings; what is not named has its default.
     *
     * @param settings {@code router.…} keys; durations as {@code 250ms}, {@code 10s} or {@code 1m}
     * @throws IllegalArgumentException naming every unknown key and every value that cannot be, a line each
     */
    public static RouterConfig parse(KafkaConnection kafka, TopicCatalogue topics, Map<String, String> settings) {
        Settings read = new Settings(settings);
        String applicationId = read.get("router.application-id", topics.prefix() + "router", s -> s);
        int threads = read.get("router.threads", 1, Integer::valueOf);
        Guarantee guarantee = read.get("router.guarantee", Guarantee.AT_LEAST_ONCE, RouterConfig::guarantee);
        Duration commit = read.get("router.commit-interval", Duration.ofSeconds(1), RouterConfig::duration);
        Duration session = read.get("router.session-timeout", Duration.ofSeconds(10), RouterConfig::duration);
        Duration transaction = read.get("router.transaction-timeout", Duration.ofSeconds(4), RouterConfig::duration);
        Duration linger = read.get("router.linger", Duration.ZERO, RouterConfig::duration);
        Optional<String> instance = read.get("router.instance-id", Optional.<String>empty(), Optional::of);
        Duration edges = read.get("router.edge-check-interval", Duration.ofSeconds(5), RouterConfig::duration);
        long cache = read.get("router.topic-cache-bytes", 4L << 20, Long::valueOf);
        read.finish();
        return new RouterConfig(
                kafka,
                topics,
                applicationId,
                threads,
                guarantee,
                commit,
                session,
                transaction,
                linger,
                instance,
                edges,
                cache);
    }

    private static Guarantee guarantee(String text) {
        return switch (text) {
            case "at_least_once" -> Guarantee.AT_LEAST_ONCE;
            case "exactly_once_v2" -> Guarantee.EXACTLY_ONCE;
            default -> throw new IllegalArgumentException("expected at_least_once or exactly_once_v2");
        };
    }

    private static Duration duration(String text) {
        try {
            if (text.endsWith("ms")) {
                return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
            }
            long amount = Long.parseLong(text.substring(0, Math.max(0, text.length() - 1)));
            if (text.endsWith("s")) {
                return Duration.ofSeconds(amount);
            }
            if (text.endsWith("m")) {
                return Duration.ofMinutes(amount);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a duration such as 250ms, 10s or 1m", e);
        }
        throw new IllegalArgumentException("expected a duration such as 250ms, 10s or 1m");
    }

    private static void requirePositive(String key, Duration value, List<String> wrong) {
        require(value.toMillis() >= 1, key + " is " + value + ", expected at least 1 ms", wrong);
    }

    private static void require(boolean holds, String otherwise, List<String> wrong) {
        if (!holds) {
            wrong.add(otherwise);
        }
    }

    /** Settings being read: what is left over at the end is unknown. */
    private static final class Settings {
        private final Map<String, String> left;
        private final List<String> wrong = new ArrayList<>();

        Settings(Map<String, String> settings) {
            left = new TreeMap<>(settings);
        }

        <T> T get(String key, T otherwise, Function<String, T> parse) {
            String text = left.remove(key);
            if (text == null) {
                return otherwise;
            }
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                wrong.add(key + " is '" + text + "': " + e.getMessage());
                return otherwise;
            }
        }

        void finish() {
            left.keySet().forEach(key -> wrong.add(key + " is not a setting"));
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException(String.join("\n", wrong));
            }
        }
    }
}
