package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** Lets a process start before Kafka, or before somebody has made the Kafka topics. No state. */
public final class TopicWait {

    private static final Duration RETRY = Duration.ofMillis(500);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

    private TopicWait() {}

    /**
     * Returns when Kafka answers and has all topics that everybody needs; whether they are as they should be is for
     * their users to check.
     *
     * @param obstacle told what is waited for, each time that it is another
     * @throws TimeoutException if that takes longer than {@code atMost}, saying what is missing and what to do
     */
    public static void await(KafkaConnection kafka, TopicCatalogue topics, Duration atMost, Consumer<String> obstacle)
            throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + atMost.toNanos();
        String last = "";
        try (Admin admin = Admin.create(KafkaPing.impatient(kafka, "hereabouts-start"))) {
            while (true) {
                List<String> needed = new ArrayList<>();
                String now = missing(admin, kafka, topics, needed);
                if (now.isEmpty()) {
                    if (!last.isEmpty()) {
                        awaitProbes(admin, needed);
                    }
                    return;
                }
                if (!now.equals(last)) {
                    obstacle.accept(now);
                    last = now;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(now + "; waited " + atMost.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
            }
        }
    }

    /**
     * Somebody has just made the topics: nobody is to write to them before their probes are in, see {@link TopicAdmin}.
     * Topics that were made by other means never get any.
     */
    private static void awaitProbes(Admin admin, List<String> topics) throws InterruptedException {
        long deadline = System.nanoTime() + TopicAdmin.PROBE_TIMEOUT.toNanos();
        while (!areProbed(admin, topics) && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
        }
    }

    private static boolean areProbed(Admin admin, List<String> topics) throws InterruptedException {
        try {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (TopicDescription topic :
                    admin.describeTopics(topics).allTopicNames().get().values()) {
                topic.partitions()
                        .forEach(p -> ends.put(new TopicPartition(topic.name(), p.partition()), OffsetSpec.latest()));
            }
            return admin.listOffsets(ends).all().get().values().stream().allMatch(end -> end.offset() > 0);
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** @param needed is filled with the names of the topics that there have to be */
    private static String missing(Admin admin, KafkaConnection kafka, TopicCatalogue topics, List<String> needed)
            throws InterruptedException {
        try {
            Set<String> there = new HashSet<>(admin.listTopics().names().get());
            TopicCatalogue grown = there.contains(topics.generations())
                    ? topics.at(
                            GenerationsTopic.read(kafka, topics, READ_TIMEOUT).current())
                    : topics;
            grown.fixed().stream().map(TopicSpec::name).forEach(needed::add);
            List<String> missing =
                    needed.stream().filter(name -> !there.contains(name)).toList();
            return missing.isEmpty()
                    ? ""
                    : "Kafka at " + kafka.bootstrapServers() + " has no topic " + String.join(", ", missing)
                            + ": run 'hereabouts topics init'";
        } catch (ExecutionException | TimeoutException e) {
            return "Kafka at " + kafka.bootstrapServers() + " does not answer";
        }
    }
}
