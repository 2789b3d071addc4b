package io.hereabouts.router;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.index.Matches;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import io.hereabouts.schemas.record.DeliveryBytes;
import io.hereabouts.schemas.record.PublicationBytes;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.Arrays;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Sends each publication once to every edge it matches. Reads the topic name and nothing else of it. A publication whose
 * entity no neighborhood of this partition holds, and some of the others, are checked for being in the partition their
 * entity belongs to. What an edge hands on goes to another edge of the same group only. One stream thread.
 */
final class RouteProcessor implements Processor<byte[], byte[], byte[], Object> {

    private static final int CHECKED_OFFSETS = 0x3ff;

    private final Generation generation;
    private final EdgeTopics edges;
    private final RouterMetrics metrics;
    private final Matches matches = new Matches();
    private @Nullable EdgeTopic[] topics = new EdgeTopic[8];
    private ProcessorContext<byte[], Object> context;
    private FilterStore store;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init first
    RouteProcessor(Generation generation, EdgeTopics edges, RouterMetrics metrics) {
        this.generation = generation;
        this.edges = edges;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> toContext) {
        context = toContext;
        store = toContext.getStateStore(RouterTopology.STORE);
        topics = new EdgeTopic[8];
    }

    @Override
    public void process(Record<byte[], byte[]> publication) {
        byte[] entity = publication.key();
        if (Keys.isProbe(entity)) {
            return;
        }
        metrics.publication();
        RecordMetadata source = context.recordMetadata().orElseThrow();
        byte[] framed = publication.value();
        long topic;
        try {
            topic = topicRange(entity, framed);
        } catch (UndecodableException e) {
            deadLetter(publication, source, DeadLetter.UNDECODABLE, e.getMessage());
            return;
        }
        if (HandedOn.isIn(publication.headers())) {
            handOn(publication, source);
            return;
        }
        store.index().lookup(entity, framed, (int) (topic >>> 32), (int) topic, matches);
        if (!matches.entityKnown() || matches.edges() == 0 || (source.offset() & CHECKED_OFFSETS) == 0) {
            int right = Partitions.partitionOf(entity, generation.partitions());
            if (right != source.partition()) {
                deadLetter(publication, source, DeadLetter.MISROUTED, "the entity belongs to partition " + right);
                return;
            }
        }
        if (matches.edges() == 0) {
            metrics.nothingMatched();
        }
        for (int i = 0; i < matches.edges(); i++) {
            deliver(i, publication, source, null);
        }
    }

    /** One that an edge could not deliver to a member of a group: to another edge of that group, and nowhere else. */
    private void handOn(Record<byte[], byte[]> publication, RecordMetadata source) {
        try {
            HandedOn handed = HandedOn.in(publication.headers()).orElseThrow();
            store.index().lookupOther(publication.key(), handed.tried(), handed.times(), matches);
        } catch (UndecodableException e) {
            deadLetter(publication, source, DeadLetter.UNDECODABLE, e.getMessage());
            return;
        }
        if (matches.edges() == 0) {
            metrics.groupGone();
            return;
        }
        metrics.handedOn();
        deliver(0, publication, source, publication.headers());
    }

    private static long topicRange(byte @Nullable [] entity, byte @Nullable [] framed) throws UndecodableException {
        if (entity == null || entity.length == 0 || entity.length > EntityId.MAX_BYTES) {
            throw new UndecodableException(
                    "the key is no entity id: " + (entity == null ? "null" : entity.length + " bytes"));
        }
        if (framed == null) {
            throw new UndecodableException("no value");
        }
        return PublicationBytes.topicRange(framed);
    }

    /** @param headers that the delivery has */
    private void deliver(
            int index, Record<byte[], byte[]> publication, RecordMetadata source, @Nullable Headers headers) {
        EdgeTopic topic = topic(index);
        if (!topic.exists() && !edges.ask(topic)) {
            metrics.edgeGone();
            return;
        }
        byte[] value = DeliveryBytes.encode(
                generation.number(),
                source.partition(),
                store.owner(),
                source.offset(),
                matches.handles(index),
                matches.handleCount(index),
                publication.value());
        if (value.length > TopicCatalogue.MAX_DELIVERY_BYTES) {
            // Kafka would not take it, and the stream thread would die of it again and again
            metrics.deliveryTooLarge();
            return;
        }
        context.forward(
                new Record<>(publication.key(), new Outgoing(topic.name(), value), publication.timestamp(), headers),
                RouterTopology.DELIVERIES);
        metrics.delivery();
    }

    private EdgeTopic topic(int index) {
        int code = matches.edgeCode(index);
        if (code >= topics.length) {
            topics = Arrays.copyOf(topics, code * 2);
        }
        EdgeTopic topic = topics[code];
        if (topic == null) {
            topic = edges.of(matches.edge(index));
            topics[code] = topic;
        }
        return topic;
    }

    private void deadLetter(
            Record<byte[], byte[]> record, RecordMetadata source, String reason, @Nullable String detail) {
        metrics.deadLetter(reason);
        Record<byte[], byte[]> dead = DeadLetter.of(record, source, reason, detail);
        context.forward(dead.withValue((Object) dead.value()), RouterTopology.DEAD_LETTERS);
    }
}
