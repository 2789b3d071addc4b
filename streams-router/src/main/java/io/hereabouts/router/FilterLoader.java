package io.hereabouts.router;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Where a store takes its partition of {@code filters} from when a task begins. */
interface FilterLoader {

    /**
     * Writes an Owner record to the partition, then reads the partition from its beginning until beyond that record.
     * What others wrote before the record was acknowledged has been handed over when this returns.
     *
     * @param owner names the store that takes over
     * @return the offset of the Owner record
     * @throws org.apache.kafka.common.errors.TimeoutException if Kafka does not answer in time; may be called again
     */
    long load(int partition, String owner, RecordSink sink);

    /** Takes records in the order of the partition; the last ones may be beyond the Owner record. */
    @FunctionalInterface
    interface RecordSink {
        void accept(byte[] key, byte @Nullable [] value, Headers headers);
    }
}
