package io.hereabouts.perf.kafka;

import io.hereabouts.router.RouterConfig;
import io.hereabouts.router.StreamsSettings;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What Kafka Streams itself costs: each record of {@code publications} goes to another Kafka topic as it is, under the
 * settings of the router. No state.
 */
final class IdentityContender {

    private IdentityContender() {}

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
        return StreamsContender.start(config, topology, StreamsSettings.of(config), processed, null);
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
}
