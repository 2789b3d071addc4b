package io.hereabouts.resolver.kafka;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.schemas.avro.InterestRequest;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What edges hold, as the end of {@code interests} has it at a take-over. Inputs before that end are redone from the
 * committed offset; a leave among them that a later record overtook must not take away what is held since. For one
 * thread.
 */
final class HeldInterests {

    private final Map<Interest, String> descriptors = new HashMap<>();
    private final Map<Interest, Long> lastOffsets = new HashMap<>();

    /** The next record; what cannot be read is not held. */
    void read(ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null || Keys.isProbe(record.key())) {
            return;
        }
        try {
            Interest interest = Keys.parseInterest(record.key());
            lastOffsets.put(interest, record.offset());
            if (record.value() == null) {
                descriptors.remove(interest);
            } else {
                descriptors.put(
                        interest,
                        Framing.decode(record.value(), InterestRequest.class).getDescriptor());
            }
        } catch (UndecodableException e) {
            // it was, or will be, an input and goes to the dead letters there
            return;
        }
    }

    /** Interests and canonical descriptors. */
    Map<Interest, String> descriptors() {
        return descriptors;
    }

    /** True if there is a later record about this interest. */
    boolean overtook(Interest interest, long offset) {
        return lastOffsets.getOrDefault(interest, -1L) > offset;
    }
}
