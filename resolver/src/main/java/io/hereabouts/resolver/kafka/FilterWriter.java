package io.hereabouts.resolver.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.resolver.filters.Decision;
import io.hereabouts.resolver.filters.Input;
import io.hereabouts.resolver.filters.Refusal;
import io.hereabouts.resolver.filters.Reply;
import io.hereabouts.resolver.filters.Request;
import io.hereabouts.resolver.filters.Status;
import io.hereabouts.resolver.filters.Write;
import io.hereabouts.schemas.avro.FilterPosition;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.DeadLetters;
import io.hereabouts.schemas.kafka.KafkaConnection;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Does what was decided: sends the records, in order through one idempotent producer, and once Kafka has acknowledged
 * all of one decision sends its answers and statuses. Thread-safe, but the order of two decisions is that of the calls.
 */
final class FilterWriter implements AutoCloseable {

    private final TopicCatalogue topics;
    private final Answers answers;
    private final KafkaProducer<byte[], byte[]> producer;

    FilterWriter(KafkaConnection kafka, TopicCatalogue topics, Answers answers) {
        this.topics = topics;
        this.answers = answers;
        Map<String, Object> settings = kafka.producer("hereabouts-resolver-filters");
        settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 4L * KafkaConnection.MAX_FILTER_RECORD_BYTES);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 20_000);
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 20_000);
        this.producer = new KafkaProducer<>(settings);
    }

    /**
     * Sends the writes of a decision, and its replies when they are acknowledged.
     *
     * @param frontier told of each input that is finished
     * @param failed called if something cannot be written; the inputs then stay unfinished
     */
    void perform(Decision decision, Frontier frontier, Consumer<Exception> failed) {
        List<Write> writes = decision.writes();
        if (writes.isEmpty()) {
            complete(decision, new long[0], frontier);
            return;
        }
        long[] offsets = new long[writes.size()];
        AtomicInteger missing = new AtomicInteger(writes.size());
        for (int i = 0; i < writes.size(); i++) {
            int index = i;
            send(
                    FilterRecords.toRecord(topics.filters(), writes.get(i)),
                    offset -> {
                        offsets[index] = offset;
                        if (missing.decrementAndGet() == 0) {
                            complete(decision, offsets, frontier);
                        }
                    },
                    failed);
        }
    }

    /** Puts a record that cannot be worked on among the dead letters. */
    void deadLetter(
            ConsumerRecord<byte[], byte[]> record,
            String reason,
            String detail,
            Runnable done,
            Consumer<Exception> failed) {
        send(DeadLetters.record(topics.deadLetters(), record, reason, detail), offset -> done.run(), failed);
    }

    /** Waits until everything sent is acknowledged or has failed. */
    void flush() {
        producer.flush();
    }

    private void send(
            ProducerRecord<byte[], byte[]> record,
            java.util.function.LongConsumer acknowledged,
            Consumer<Exception> failed) {
        try {
            var unused = producer.send(record, (ack, failure) -> {
                if (failure == null) {
                    acknowledged.accept(ack.offset());
                } else {
                    failed.accept(failure);
                }
            });
        } catch (KafkaException e) {
            failed.accept(e);
        }
    }

    private void complete(Decision decision, long[] offsets, Frontier frontier) {
        for (Reply reply : decision.replies()) {
            Input input = reply.request().input();
            answers.send(reply.request().interest().edge(), resolved(decision, reply, offsets), () -> {
                if (input != null) {
                    frontier.finished(input);
                }
            });
        }
        decision.done().forEach(frontier::finished);
        for (Status status : decision.statuses()) {
            NeighborhoodStatus record = new NeighborhoodStatus(
                    status.neighborhood().value(),
                    status.worldVersion(),
                    status.entityCount(),
                    status.missing().stream().map(EntityId::value).toList(),
                    status.failure());
            status.edges().forEach(edge -> answers.tell(edge, record));
        }
    }

    private Resolved resolved(Decision decision, Reply reply, long[] offsets) {
        Request request = reply.request();
        Refusal refusal = reply.refusal();
        if (refusal != null) {
            return new Resolved(
                    request.requestId(), refusal.reasonCode(), refusal.reason(), 0L, 0, List.of(), generation());
        }
        List<FilterPosition> positions = new ArrayList<>();
        for (int i = 0; i < offsets.length; i++) {
            if (decision.writes().get(i) instanceof Write.PutInterest put
                    && put.requestId() == request.requestId()
                    && put.interest().equals(request.interest())) {
                positions.add(new FilterPosition(put.partition(), offsets[i]));
            }
        }
        return new Resolved(
                request.requestId(), 0, "", reply.worldVersion(), reply.entityCount(), positions, generation());
    }

    private int generation() {
        return topics.generation().number();
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
