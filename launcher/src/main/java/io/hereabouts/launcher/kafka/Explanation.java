package io.hereabouts.launcher.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.share.Rendezvous;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.avro.Subscription;
import io.hereabouts.schemas.kafka.GenerationsTopic;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.SliceIds;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Why a client gets, or does not get, the publications about an entity: follows them backwards through what Kafka holds,
 * from the client's subscriptions over its edge's interests and the filters in the entity's partition to the router that
 * applies them. Only reads. What becomes of a delivery in an edge is told by that edge's metrics. For one thread.
 */
public final class Explanation {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Three heartbeats. */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /**
     * One thing that has to be so.
     *
     * @param holds whether it is
     * @param text what there is, or what is missing
     */
    public record Step(boolean holds, String text) {}

    /**
     * What is so of one subscription.
     *
     * @param subscription as its client named it
     */
    public record Path(String subscription, List<Step> steps) {
        public Path {
            steps = List.copyOf(steps);
        }

        /** Whether everything is as it has to be. */
        public boolean holds() {
            return steps.stream().allMatch(Step::holds);
        }
    }

    private final KafkaConnection kafka;
    private final TopicCatalogue topics;
    private final EntityId entity;
    private final @Nullable TopicName topic;
    private final TopicPartition filters;
    private final TopicPartition publications;
    private final Clock clock;

    private Explanation(
            KafkaConnection kafka, TopicCatalogue topics, EntityId entity, @Nullable TopicName topic, Clock clock) {
        this.kafka = kafka;
        this.topics = topics;
        this.entity = entity;
        this.topic = topic;
        this.clock = clock;
        int partition = Partitions.partitionOf(entity, topics.partitions());
        this.filters = new TopicPartition(topics.filters(), partition);
        this.publications = new TopicPartition(topics.publications(), partition);
    }

    /**
     * Looks now.
     *
     * @param topics of any generation
     * @param topic that is published to; null: whatever it is
     * @return one path for each subscription of the client; empty if it has none
     * @throws TimeoutException if Kafka does not answer
     */
    public static List<Path> of(
            KafkaConnection kafka,
            TopicCatalogue topics,
            String client,
            EntityId entity,
            @Nullable TopicName topic,
            Clock clock)
            throws InterruptedException, TimeoutException, ExecutionException {
        TopicCatalogue now =
                topics.at(GenerationsTopic.read(kafka, topics, PATIENCE).published());
        return new Explanation(kafka, now, entity, topic, clock).explain(client);
    }

    private List<Path> explain(String client) throws InterruptedException, ExecutionException {
        Map<String, Subscription> subscriptions = subscriptionsOf(client);
        if (subscriptions.isEmpty()) {
            return List.of();
        }
        Map<String, byte[]> interests = latest(topics.interests());
        Map<String, byte[]> edges = latest(topics.edges());
        Map<String, ConsumerRecord<byte[], byte[]>> applicable = filtersNow();
        Router router = router();
        List<Path> paths = new ArrayList<>();
        for (Subscription subscription : subscriptions.values()) {
            List<Step> steps = new ArrayList<>();
            Interest interest = interestOf(subscription);
            matches(interest.topicFilter()).ifPresent(steps::add);
            steps.add(lease(subscription.getEdge(), edges.get(subscription.getEdge())));
            steps.add(
                    interests.containsKey(text(Keys.interest(interest)))
                            ? new Step(true, "its edge has asked for it")
                            : new Step(false, "its edge has not asked the resolver for it"));
            if (!interest.neighborhood().equals(NeighborhoodId.EVERYWHERE)) {
                steps.add(member(applicable.get(text(Keys.slice(interest.neighborhood())))));
            }
            ConsumerRecord<byte[], byte[]> filter = applicable.get(text(Keys.filterInterest(interest)));
            steps.add(
                    filter == null
                            ? new Step(false, "there is no filter for it in " + filters)
                            : router.applied(filter.offset()));
            if (interest.isShared()) {
                steps.add(chosen(interest.group(), subscription.getEdge(), applicable.values(), edges));
            }
            steps.add(router.routes());
            paths.add(new Path(name(subscription), steps));
        }
        return paths;
    }

    private static Interest interestOf(Subscription subscription) {
        SubscribedFilter filter = SubscribedFilter.parse(subscription.getTopicFilter());
        return new Interest(
                NeighborhoodId.of(subscription.getNeighborhood()),
                filter.topicFilter(),
                filter.share(),
                EdgeId.of(subscription.getEdge()));
    }

    private static String name(Subscription subscription) {
        String what = subscription.getNeighborhoodId().isEmpty()
                ? "without neighborhood"
                : "neighborhood " + subscription.getNeighborhoodId();
        return subscription.getTopicFilter() + ", " + what + ", on edge " + subscription.getEdge();
    }

    private Optional<Step> matches(TopicFilter filter) {
        return Optional.ofNullable(topic)
                .map(name -> filter.matches(name)
                        ? new Step(true, "topic filter " + filter + " matches " + name)
                        : new Step(false, "topic filter " + filter + " does not match " + name));
    }

    private Step lease(String edge, byte @Nullable [] value) {
        if (value == null) {
            return new Step(false, "edge " + edge + " has no lease: it does not run");
        }
        try {
            Duration silent = Duration.ofMillis(
                    clock.millis() - Framing.decode(value, EdgeLease.class).getHeartbeat());
            return new Step(
                    silent.compareTo(SILENCE) <= 0,
                    "edge " + edge + " was last heard of " + silent.toSeconds() + " s ago");
        } catch (UndecodableException e) {
            return new Step(false, "the lease of edge " + edge + " cannot be read: " + e.getMessage());
        }
    }

    private Step member(@Nullable ConsumerRecord<byte[], byte[]> slice) {
        if (slice == null) {
            return new Step(
                    false, "the neighborhood has no entity in " + filters + ", which is where " + entity + " is");
        }
        try {
            Slice read = Framing.decode(slice.value(), Slice.class);
            byte[] id = entity.bytes();
            boolean[] found = new boolean[1];
            ByteBuffer ids = read.getIds().duplicate();
            byte[] packed = new byte[ids.remaining()];
            ids.get(packed);
            SliceIds.decode(packed, read.getCount(), each -> found[0] |= Arrays.equals(each, id));
            return new Step(
                    found[0],
                    "of the " + read.getTotal() + " entities of the neighborhood, by world version "
                            + read.getWorldVersion() + ", " + entity + (found[0] ? " is one" : " is none"));
        } catch (UndecodableException e) {
            return new Step(false, "the slice in " + filters + " cannot be read: " + e.getMessage());
        }
    }

    /** Of a group one edge gets what is about the entity, and there one member, which is that edge's choice. */
    private Step chosen(
            Group group,
            String edge,
            Collection<ConsumerRecord<byte[], byte[]>> filtersNow,
            Map<String, byte[]> leases) {
        Set<String> all = new TreeSet<>();
        for (ConsumerRecord<byte[], byte[]> filter : filtersNow) {
            try {
                if (Keys.isFilterInterest(filter.key())) {
                    Interest interest = Keys.parseFilterInterest(filter.key());
                    if (interest.isShared() && interest.group().equals(group)) {
                        all.add(interest.edge().value());
                    }
                }
            } catch (UndecodableException e) {
                // no router can read it either
            }
        }
        String chosen = Rendezvous.choose(
                all, Rendezvous.hash(entity.bytes()), Rendezvous::hash, each -> lease(each, leases.get(each))
                        .holds());
        return new Step(
                edge.equals(chosen),
                "of the edges " + all + " of group " + group.filter().share() + " " + chosen + " has what is about "
                        + entity + ", for one of its members");
    }

    /** How far the routers are with the entity's partition. */
    private record Router(String group, long appliedUpTo, long behind) {

        Step applied(long offset) {
            return new Step(
                    appliedUpTo > offset,
                    "the filter is at offset " + offset + ", routers of " + group + " have read up to " + appliedUpTo);
        }

        Step routes() {
            return new Step(behind == 0, behind + " publications of the partition are not routed yet");
        }
    }

    private Router router() throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(kafka.base("hereabouts-explain"))) {
            Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(topics.routerGroup())
                    .partitionsToOffsetAndMetadata()
                    .get();
            long end = admin.listOffsets(Map.of(publications, OffsetSpec.latest()))
                    .partitionResult(publications)
                    .get()
                    .offset();
            return new Router(
                    topics.routerGroup(), offset(committed.get(filters)), end - offset(committed.get(publications)));
        }
    }

    private static long offset(@Nullable OffsetAndMetadata committed) {
        return committed == null ? 0 : committed.offset();
    }

    private Map<String, Subscription> subscriptionsOf(String client) {
        Map<String, Subscription> subscriptions = new TreeMap<>();
        latest(topics.subscriptions()).forEach((key, value) -> {
            try {
                Subscription subscription = Framing.decode(value, Subscription.class);
                if (subscription.getClient().equals(client)) {
                    subscriptions.put(key, subscription);
                }
            } catch (UndecodableException e) {
                // no edge can read it either
            }
        });
        return subscriptions;
    }

    private Map<String, byte[]> latest(String name) {
        Map<String, byte[]> latest = new TreeMap<>();
        PartitionReader.readAll(kafka, name, record -> {
            if (record.value() == null) {
                latest.remove(text(record.key()));
            } else {
                latest.put(text(record.key()), record.value());
            }
        });
        return latest;
    }

    private Map<String, ConsumerRecord<byte[], byte[]>> filtersNow() {
        Map<String, ConsumerRecord<byte[], byte[]>> latest = new TreeMap<>();
        PartitionReader.read(kafka, filters, record -> {
            if (record.value() == null) {
                latest.remove(text(record.key()));
            } else {
                latest.put(text(record.key()), record);
            }
        });
        return latest;
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }
}
