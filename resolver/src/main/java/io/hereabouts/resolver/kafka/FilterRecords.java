package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.resolver.filters.FilterReader;
import io.hereabouts.resolver.filters.Stamp;
import io.hereabouts.resolver.filters.Write;
import io.hereabouts.schemas.avro.FilterInterest;
import io.hereabouts.schemas.avro.Slice;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.kafka.Stamps;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Writes as records of {@code filters}, and back. Removals carry their stamp in two headers. No state. */
final class FilterRecords {

    private FilterRecords() {}

    static ProducerRecord<byte[], byte[]> toRecord(String topic, Write write) {
        if (write instanceof Write.PutSlice put) {
            Slice value = new Slice(
                    put.stamp().epoch(),
                    put.stamp().version(),
                    put.filter().worldVersion(),
                    put.filter().total(),
                    put.slice().count(),
                    put.slice().ids().duplicate());
            return record(topic, write, Keys.slice(put.neighborhood()), Framing.encode(value));
        }
        if (write instanceof Write.PutInterest put) {
            FilterInterest value =
                    new FilterInterest(put.stamp().epoch(), put.stamp().version(), put.requestId());
            return record(topic, write, Keys.filterInterest(put.interest()), Framing.encode(value));
        }
        if (write instanceof Write.DropSlice drop) {
            return record(topic, write, Keys.slice(drop.neighborhood()), null);
        }
        return record(topic, write, Keys.filterInterest(((Write.DropInterest) write).interest()), null);
    }

    /**
     * Hands the record to {@code reader}; probes and owner records are skipped.
     *
     * @throws UndecodableException if it is not a record of {@code filters}
     */
    static void read(ConsumerRecord<byte[], byte[]> record, FilterReader reader) throws UndecodableException {
        byte[] key = record.key();
        byte[] value = record.value();
        int partition = record.partition();
        if (key == null) {
            throw new UndecodableException("no key");
        }
        if (Keys.isProbe(key) || Keys.isOwner(key)) {
            return;
        }
        if (Keys.isSlice(key)) {
            NeighborhoodId neighborhood = Keys.parseSlice(key);
            if (value == null) {
                reader.sliceGone(partition, neighborhood, stampOf(record.headers()));
            } else {
                Slice s = Framing.decode(value, Slice.class);
                Stamp stamp = new Stamp(s.getOwnerEpoch(), s.getVersion());
                reader.slicePut(partition, neighborhood, stamp, s.getCount(), s.getTotal(), s.getWorldVersion());
            }
        } else if (Keys.isFilterInterest(key)) {
            Interest interest = Keys.parseFilterInterest(key);
            if (value == null) {
                reader.interestGone(partition, interest, stampOf(record.headers()));
            } else {
                FilterInterest i = Framing.decode(value, FilterInterest.class);
                reader.interestPut(partition, interest, new Stamp(i.getOwnerEpoch(), i.getVersion()));
            }
        } else {
            throw new UndecodableException("key is neither a slice's nor an interest's");
        }
    }

    private static ProducerRecord<byte[], byte[]> record(
            String topic, Write write, byte[] key, byte @Nullable [] value) {
        List<Header> headers = value != null
                ? List.of()
                : Stamps.headers(write.stamp().epoch(), write.stamp().version());
        return new ProducerRecord<>(topic, write.partition(), key, value, headers);
    }

    /** A removal without a stamp, by hand perhaps, is older than everything. */
    private static Stamp stampOf(Headers headers) {
        return new Stamp(
                Stamps.epoch(headers).orElse(Stamp.NONE.epoch()),
                Stamps.version(headers).orElse(Stamp.NONE.version()));
    }
}
