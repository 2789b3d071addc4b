package io.hereabouts.perf.kafka;

import io.hereabouts.perf.MeasurementException;
import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.router.RouterConfig;
import io.hereabouts.router.StreamsSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Joined;
import org.apache.kafka.streams.kstream.Produced;

/**
 * What somebody would write who knows Kafka Streams: publications joined with a {@code KTable} of entity → set of
 * neighborhoods, in the store that Kafka Streams takes by itself (RocksDB). As cheap as such a topology can be: a set is
 * handles without structure, it is put before the publication as it is, and no topic filter is looked at.
 */
final class TableContender implements Contender {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final RouterConfig config;
    private final LongAdder processed;
    private final WorkFolder folder;
    private final KafkaStreams streams;

    private TableContender(RouterConfig config, LongAdder processed, WorkFolder folder, KafkaStreams streams) {
        this.config = config;
        this.folder = folder;
        this.processed = processed;
        this.streams = streams;
    }

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
        Properties settings = StreamsSettings.of(config);
        // the table's source is its changelog
        settings.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.OPTIMIZE);
        // as the records have it: sets are older than publications, and wait for
        settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0L);
        WorkFolder folder = WorkFolder.create();
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.path().toString());
        KafkaStreams streams = new KafkaStreams(builder.build(settings), settings);
        streams.start();
        return new TableContender(config, processed, folder, streams);
    }

    @Override
    public String applicationId() {
        return config.applicationId();
    }

    @Override
    public long processed() {
        return processed.sum();
    }

    @Override
    public String problem() {
        KafkaStreams.State state = streams.state();
        return state.hasStartedOrFinishedShuttingDown() ? "Kafka Streams is " + state : "";
    }

    @Override
    public void close() {
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        folder.close();
    }
}
