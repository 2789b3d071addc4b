package io.hereabouts.perf.kafka;

import io.hereabouts.router.RouterConfig;
import io.hereabouts.router.StreamsSettings;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What Kafka Streams itself costs: each record of {@code publications} goes to another Kafka topic as it is, under the
 * settings of the router.
 */
final class IdentityContender implements Contender {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final RouterConfig config;
    private final LongAdder processed;
    private final KafkaStreams streams;

    private IdentityContender(RouterConfig config, LongAdder processed, KafkaStreams streams) {
        this.config = config;
        this.processed = processed;
        this.streams = streams;
    }

    static Contender start(RouterConfig config, String output) {
        LongAdder processed = new LongAdder();
        ByteArrayDeserializer in = new ByteArrayDeserializer();
        ByteArraySerializer out = new ByteArraySerializer();
        Topology topology = new Topology()
                .addSource(
                        AutoOffsetReset.earliest(),
                        "in",
                        in,
                        in,
                        config.topics().publications())
                .addProcessor("same", () -> new Same(processed), "in")
                .addSink("out", output, out, out, "same");
        KafkaStreams streams = new KafkaStreams(topology, StreamsSettings.of(config));
        streams.start();
        return new IdentityContender(config, processed, streams);
    }

    private static final class Same extends ContextualProcessor<byte[], byte[], byte[], byte[]> {
        private final LongAdder processed;

        Same(LongAdder processed) {
            this.processed = processed;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            context().forward(record);
            processed.increment();
        }
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
    }
}
