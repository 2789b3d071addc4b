package io.hereabouts.perf.kafka;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.router.StreamsSettings;
import java.nio.ByteBuffer;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.Produced;

/**
 * What somebody would write who knows Kafka Streams: publications joined with a {@code KTable} of entity → set of
 * neighborhoods, in the store that Kafka Streams takes by itself (RocksDB). As cheap as such a topology can be: a set is
 * handles without structure, it is put before the publication as it is, and no topic filter is looked at. No state.
 */
final class TableContender {

    private TableContender() {}

    static Contender start(RouterConfig config, String sets, String output) throws MeasurementException {
        LongAdder processed = new LongAdder();
        Serde<byte[]> bytes = Serdes.ByteArray();
        Consumed<byte[], byte[]> fromBeginning =
                Consumed.with(bytes, bytes).withOffsetResetPolicy(AutoOffsetReset.earliest());
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(config.topics().publications(), fromBeginning)
                .join(
                        builder.table(sets, fromBeginning),
                        (publication, set) -> {
                            processed.increment();
                            return ByteBuffer.allocate(Integer.BYTES + set.length + publication.length)
                                    .putInt(set.length / Long.BYTES)
                                    .put(set)
                                    .put(publication)
                                    .array();
                        },
                        Joined.with(bytes, bytes, bytes))
                .to(output, Produced.with(bytes, bytes));
        WorkFolder state = WorkFolder.create();
        Properties settings = StreamsSettings.of(config);
        settings.put(StreamsConfig.STATE_DIR_CONFIG, state.path().toString());
        // the table's source is its changelog
        settings.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.OPTIMIZE);
        // by time: sets are older than the publications that are to find them
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0L);
        return StreamsContender.start(config, builder.build(settings), settings, processed, state);
    }
}
