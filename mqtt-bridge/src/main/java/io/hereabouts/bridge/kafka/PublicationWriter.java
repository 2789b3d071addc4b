package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.Generation;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.kafka.Partitions;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Writes publications to Kafka, to one generation at a time, those of one entity in the order they are handed in. Publications of QoS 0 have nobody
 * who waits for them: they share a bounded number of bytes. Thread-safe; never blocks.
 */
public final class PublicationWriter {

    static final Then NOTHING = (by, at, done) -> done.complete(null);

    private final EdgeProducer producer;
    private final EdgeProducer patient;
    private final Qos0Room room;
    private volatile Target target;

    /** Publications of a generation, and how many are on their way to it. */
    private static final class Target {
        final String topic;
        final Generation generation;
        final AtomicLong underway = new AtomicLong();
        final CompletableFuture<Void> settled = new CompletableFuture<>();
        volatile boolean left;

        Target(TopicCatalogue topics) {
            this.topic = topics.publications();
            this.generation = topics.generation();
        }

        void ended() {
            if (underway.decrementAndGet() == 0 && left) {
                settled.complete(null);
            }
        }
    }

    /**
     * Writes to this generation for now.
     *
     * @param patient the one that never gives up
     * @param room for QoS 0
     */
    public PublicationWriter(EdgeProducer producer, EdgeProducer patient, TopicCatalogue topics, Qos0Room room) {
        this.producer = producer;
        this.patient = patient;
        this.target = new Target(topics);
        this.room = room;
    }

    /** The generation that publications go to. */
    public Generation generation() {
        return target.generation;
    }

    /**
     * From now on publications go to another generation. For one thread.
     *
     * @return done when Kafka has, or has refused, all that was handed in before
     */
    public CompletableFuture<Void> switchTo(TopicCatalogue topics) {
        Target before = target;
        before.underway.incrementAndGet();
        target = new Target(topics);
        before.left = true;
        before.ended();
        return before.settled;
    }

    /** Counted before it is looked at again: whoever leaves it waits for all that still see it. */
    private Target begin() {
        while (true) {
            Target now = target;
            now.underway.incrementAndGet();
            if (now == target) {
                return now;
            }
            now.ended();
        }
    }

    /** Waits until one more Kafka topic can be written to; false if it cannot yet. For a thread that can wait. */
    public boolean learn(String topic) throws InterruptedException {
        return producer.learn(topic) && patient.learn(topic);
    }

    /** What has to be in Kafka besides, once the publication is there. */
    interface Then {
        /**
         * @param by which producer, in whose callbacks this is called
         * @param at where the publication is
         * @param done to be completed
         */
        void stored(EdgeProducer by, SourcePosition at, CompletableFuture<Void> done);
    }

    /** Completes when Kafka has the publication, or exceptionally when it does not. */
    public CompletableFuture<Void> write(EntityId entity, byte[] publication) {
        return write(producer, entity, publication, NOTHING);
    }

    /**
     * Completes when Kafka has the publication, however long that takes. Exceptionally only if it can never have it, too
     * much is on its way already, or the edge ends.
     */
    public CompletableFuture<Void> writeUntilStored(EntityId entity, byte[] publication) {
        return write(patient, entity, publication, NOTHING);
    }

    /**
     * Brings one that was routed to the router again, for another member of a group: at QoS 0 as {@link #writeQos0}, else as
     * {@link #writeUntilStored}.
     */
    public CompletableFuture<Void> handOn(int qos, EntityId entity, byte[] publication, HandedOn header) {
        List<Header> handedOn = List.of(new RecordHeader(HandedOn.HEADER, header.bytes()));
        return qos == 0
                ? room.in(publication.length, () -> write(producer, entity, publication, handedOn, NOTHING))
                : write(patient, entity, publication, handedOn, NOTHING);
    }

    /** As the ways of writing of this QoS, with something that follows. */
    CompletableFuture<Void> write(int qos, EntityId entity, byte[] publication, Then then) {
        return switch (qos) {
            case 0 -> writeQos0(entity, publication, then);
            case 1 -> write(producer, entity, publication, then);
            default -> write(patient, entity, publication, then);
        };
    }

    private CompletableFuture<Void> write(EdgeProducer by, EntityId entity, byte[] publication, Then then) {
        return write(by, entity, publication, List.of(), then);
    }

    private CompletableFuture<Void> write(
            EdgeProducer by, EntityId entity, byte[] publication, List<Header> headers, Then then) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        byte[] key = entity.bytes();
        Target to = begin();
        int partition = Partitions.partitionOf(key, to.generation.partitions());
        by.send(new ProducerRecord<>(to.topic, partition, key, publication, headers), (offset, failure) -> {
            to.ended();
            if (failure == null) {
                then.stored(by, new SourcePosition(to.generation.number(), offset), done);
            } else {
                done.completeExceptionally(failure);
            }
        });
        return done;
    }

    /** As {@link #write}, for QoS 0: fails at once when too much is on its way. */
    public CompletableFuture<Void> writeQos0(EntityId entity, byte[] publication) {
        return writeQos0(entity, publication, NOTHING);
    }

    private CompletableFuture<Void> writeQos0(EntityId entity, byte[] publication, Then then) {
        return room.in(publication.length, () -> write(producer, entity, publication, then));
    }
}
