package io.hereabouts.router;

import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Brings the live records of {@code filters} into the store, and tells the edge of each interest that is active: a
 * publication that comes after that is matched. A deposed store goes on applying and says nothing. One stream thread.
 */
final class FilterProcessor implements Processor<byte[], byte[], byte[], Object> {

    private static final Duration MEASURE = Duration.ofSeconds(5);

    private final int generation;
    private final EdgeTopics edges;
    private final RouterMetrics metrics;
    private ProcessorContext<byte[], Object> context;
    private FilterStore store;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init first
    FilterProcessor(int generation, EdgeTopics edges, RouterMetrics metrics) {
        this.generation = generation;
        this.edges = edges;
        this.metrics = metrics;
    }

    @Override
    public void init(ProcessorContext<byte[], Object> toContext) {
        context = toContext;
        store = toContext.getStateStore(RouterTopology.STORE);
        toContext.schedule(MEASURE, PunctuationType.WALL_CLOCK_TIME, now -> store.measure());
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        byte[] key = record.key();
        if (Keys.isProbe(key)) {
            return;
        }
        RecordMetadata source = context.recordMetadata().orElseThrow();
        try {
            if (key == null) {
                throw new UndecodableException("no key");
            }
            if (Keys.isOwner(key)) {
                if (record.value() != null) {
                    store.sawOwner(Framing.decode(record.value(), Owner.class).getOwner(), source.offset());
                }
                return;
            }
            FilterRecords.ActiveInterest active =
                    FilterRecords.apply(store.index(), key, record.value(), record.headers());
            if (active != null && !store.isDeposed()) {
                sayApplied(active, source, record.timestamp());
            }
        } catch (UndecodableException e) {
            metrics.deadLetter(DeadLetter.UNDECODABLE);
            Record<byte[], byte[]> dead = DeadLetter.of(record, source, DeadLetter.UNDECODABLE, e.getMessage());
            context.forward(dead.withValue((Object) dead.value()), RouterTopology.DEAD_LETTERS);
        }
    }

    private void sayApplied(FilterRecords.ActiveInterest active, RecordMetadata source, long timestamp) {
        EdgeTopic topic = edges.of(active.interest().edge());
        if (!topic.exists() && !edges.ask(topic)) {
            metrics.edgeGone();
            return;
        }
        byte[] value = Framing.encode(Applied.newBuilder()
                .setGeneration(generation)
                .setPartition(source.partition())
                .setOwner(store.owner())
                .setOffset(source.offset())
                .build());
        byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(active.requestId()).array();
        context.forward(new Record<>(key, new Outgoing(topic.name(), value), timestamp), RouterTopology.APPLIED);
        metrics.applied();
    }
}
