package io.hereabouts.launcher.kafka;

import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.kafka.TopicCatalogue.TopicSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** What has to be asked of Kafka, and done to it, to change from one generation to the next. For one thread. */
final class GenerationAdmin implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 10_000;

    private final KafkaConnection kafka;
    private final Admin admin;

    GenerationAdmin(KafkaConnection kafka) {
        this.kafka = kafka;
        this.admin = Admin.create(kafka.base("hereabouts-grow"));
    }

    /** Whether the members of the group have divided its partitions among themselves. */
    boolean isStable(String group) throws ExecutionException, InterruptedException {
        ConsumerGroupDescription found = describe(group);
        return found != null
                && found.groupState() == GroupState.STABLE
                && !found.members().isEmpty();
    }

    /** Whether nobody is in the group any more. */
    boolean isEmpty(String group) throws ExecutionException, InterruptedException {
        ConsumerGroupDescription found = describe(group);
        return found == null || found.members().isEmpty();
    }

    private @Nullable ConsumerGroupDescription describe(String group) throws ExecutionException, InterruptedException {
        try {
            return admin.describeConsumerGroups(List.of(group)).all().get().get(group);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return null;
            }
            throw e;
        }
    }

    /** The end of each partition of {@code publications}. */
    Map<TopicPartition, Long> ends(TopicCatalogue topics) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> wanted =
                publications(topics).stream().collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
                admin.listOffsets(wanted).all().get().entrySet()) {
            ends.put(end.getKey(), end.getValue().offset());
        }
        return ends;
    }

    /** How many records before these ends the group has not said that it is done with. */
    long behind(String group, Map<TopicPartition, Long> ends) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get();
        long sum = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            OffsetAndMetadata at = committed.get(end.getKey());
            sum += Math.max(0, end.getValue() - (at == null ? 0 : at.offset()));
        }
        return sum;
    }

    /**
     * Makes {@code publications} refuse every write, and proves it in each partition: a writer that has not heard of the
     * next generation then gets an error, and nobody an acknowledgement for what nobody will route.
     */
    void closeForWrites(TopicCatalogue topics) throws ExecutionException, InterruptedException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, topics.publications());
        admin.incrementalAlterConfigs(Map.of(
                        topic,
                        List.of(new AlterConfigOp(
                                new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "0"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        Map<String, Object> settings = kafka.producer("hereabouts-grow-probe");
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS / 2);
        Set<TopicPartition> open = new HashSet<>(publications(topics));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
            while (!open.isEmpty()) {
                for (TopicPartition partition : Set.copyOf(open)) {
                    if (isClosed(producer, partition)) {
                        open.remove(partition);
                    }
                }
            }
        }
    }

    private static boolean isClosed(KafkaProducer<byte[], byte[]> producer, TopicPartition partition)
            throws ExecutionException, InterruptedException {
        try {
            producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), Keys.probe(), null))
                    .get();
            return false;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RecordTooLargeException) {
                return true;
            }
            throw e;
        }
    }

    /** Whether the generation's Kafka topics are there, one of them at least. */
    boolean exists(TopicCatalogue topics) throws ExecutionException, InterruptedException {
        Set<String> there = admin.listTopics().names().get();
        return topics.ofGeneration().stream().map(TopicSpec::name).anyMatch(there::contains);
    }

    /** Deletes the generation's Kafka topics. */
    void delete(TopicCatalogue topics) throws ExecutionException, InterruptedException {
        for (TopicSpec topic : topics.ofGeneration()) {
            unlessGone(admin.deleteTopics(List.of(topic.name())).all());
        }
    }

    /** Deletes a group; false if it has members. */
    boolean deleteGroup(String group) throws ExecutionException, InterruptedException {
        try {
            unlessGone(admin.deleteConsumerGroups(List.of(group)).all());
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GroupNotEmptyException) {
                return false;
            }
            throw e;
        }
    }

    private static void unlessGone(KafkaFuture<Void> deletion) throws ExecutionException, InterruptedException {
        try {
            deletion.get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof GroupIdNotFoundException)) {
                throw e;
            }
        }
    }

    private static List<TopicPartition> publications(TopicCatalogue topics) {
        return IntStream.range(0, topics.partitions())
                .mapToObj(p -> new TopicPartition(topics.publications(), p))
                .toList();
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }
}
