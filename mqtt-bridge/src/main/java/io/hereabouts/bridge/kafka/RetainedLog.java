package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.retained.Retained;
import io.hereabouts.bridge.retained.RetainedFeed;
import io.hereabouts.bridge.retained.RetainedTable;
import io.hereabouts.bridge.retained.RetainedTable.Change;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the records of {@code retained} say, and which of them stand in the wrong order. Owned by the thread that reads them. */
final class RetainedLog {

    private static final Logger LOG = LoggerFactory.getLogger(RetainedLog.class);

    private final RetainedTable table;
    private final Runnable undecodable;
    private final Set<RetainedKey> disordered = new LinkedHashSet<>();

    /** @param undecodable told of each record that cannot be read and is left out */
    RetainedLog(RetainedTable table, Runnable undecodable) {
        this.table = table;
        this.undecodable = undecodable;
    }

    /** Brings a record into the table, and tells the feed. */
    void apply(ConsumerRecord<byte[], byte[]> record, RetainedFeed feed) {
        try {
            RetainedKey key = RetainedKey.parse(record.key());
            if (apply(key, record, feed) == Change.OLDER) {
                disordered.add(key);
            } else {
                disordered.remove(key);
            }
        } catch (UndecodableException e) {
            undecodable.run();
            LOG.warn(
                    "a retained publication in {}-{} at {} is left out: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
        }
    }

    private Change apply(RetainedKey key, ConsumerRecord<byte[], byte[]> record, RetainedFeed feed)
            throws UndecodableException {
        SourcePosition position = SourcePosition.of(record.headers());
        boolean isUnknown = position.equals(SourcePosition.UNKNOWN);
        if (record.value() == null && isUnknown) {
            table.forget(key);
            return Change.TAKEN;
        }
        if (record.value() == null) {
            feed.cleared(key, position);
            return table.clear(key, position);
        }
        if (isUnknown) {
            throw new UndecodableException("it does not say where in publications it is from");
        }
        Retained next = Retained.of(key, position, record.value(), record.timestamp());
        Change change = table.put(next);
        if (change == Change.TAKEN) {
            feed.changed(next);
        }
        return change;
    }

    /** Two edges wrote under one key, and the older one came last: a start that finds only that would take it for the last. */
    void writeAgain(RetainedWriter writer) {
        for (RetainedKey key : disordered) {
            SourcePosition position = table.position(key);
            if (position != null) {
                Retained last = table.get(key);
                writer.writeAgain(key, position, last == null ? null : last.framed());
            }
        }
        disordered.clear();
    }
}
