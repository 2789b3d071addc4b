package io.hereabouts.perf.kafka;

import io.hereabouts.perf.process.WorkFolder;
import io.hereabouts.router.RouterConfig;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;

/** A topology of Kafka Streams that is no router, from its start until it is closed. */
final class StreamsContender implements Contender {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final RouterConfig config;
    private final LongAdder processed;
    private final KafkaStreams streams;
    private final @Nullable WorkFolder state;

    private StreamsContender(
            RouterConfig config, LongAdder processed, KafkaStreams streams, @Nullable WorkFolder state) {
        this.config = config;
        this.processed = processed;
        this.streams = streams;
        this.state = state;
    }

    /**
     * Starts it.
     *
     * @param processed counts the records that the topology has processed
     * @param state where its stores are, removed with it; null if it has none
     */
    static Contender start(
            RouterConfig config,
            Topology topology,
            Properties settings,
            LongAdder processed,
            @Nullable WorkFolder state) {
        KafkaStreams streams = new KafkaStreams(topology, settings);
        streams.start();
        return new StreamsContender(config, processed, streams, state);
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
        KafkaStreams.State now = streams.state();
        return now.hasStartedOrFinishedShuttingDown() ? "Kafka Streams is " + now : "";
    }

    @Override
    public void close() {
        streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        if (state != null) {
            state.close();
        }
    }
}
