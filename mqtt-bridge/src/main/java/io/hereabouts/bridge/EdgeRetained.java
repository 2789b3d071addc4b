package io.hereabouts.bridge;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.kafka.DeliveryReader;
import io.hereabouts.bridge.kafka.EdgeProducer;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.kafka.RetainedReader;
import io.hereabouts.bridge.kafka.RetainedWriter;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.loop.EdgeState;
import io.hereabouts.bridge.loop.RetainedOutput;
import io.hereabouts.bridge.retained.RetainedDeliveries;
import io.hereabouts.bridge.retained.RetainedTable;
import io.hereabouts.bridge.subscription.SubscriptionTable;
import io.hereabouts.schemas.kafka.Generations;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The retained publications of an edge, and what has to be put together for them. */
final class EdgeRetained implements AutoCloseable {

    /** What a retained record may take beyond the time that its publication has to get to Kafka. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final EdgeConfig config;
    private final Clock clock;
    private final RetainedTable table;
    private final RetainedReader reader;
    private @Nullable RetainedWriter writer;

    private EdgeRetained(EdgeConfig config, Clock clock, RetainedTable table, RetainedReader reader) {
        this.config = config;
        this.clock = clock;
        this.table = table;
        this.reader = reader;
    }

    /** Returns when all that is retained has been read. */
    static EdgeRetained load(EdgeConfig config, String name, Clock clock, EdgeMetrics metrics) {
        RetainedTable table = new RetainedTable(config.limits().retainedBytes());
        RetainedReader reader = RetainedReader.load(
                config.kafka(),
                name + "-retained",
                config.topics(),
                table,
                config.limits().publishTimeout().plus(GRACE),
                clock,
                () -> metrics.ignored("undecodable"));
        metrics.gauge("hereabouts.edge.retained", config.edge(), table::size);
        metrics.gauge("hereabouts.edge.retained.bytes", config.edge(), table::bytes);
        return new EdgeRetained(config, clock, table, reader);
    }

    RetainedReader reader() {
        return reader;
    }

    /** For the edge's thread. */
    RetainedDeliveries deliveries(SubscriptionTable subscriptions, ClientDeliveries deliveries) {
        return new RetainedDeliveries(subscriptions, table, deliveries, reader);
    }

    /** Takes what is to be retained; once. */
    RetainedWriter writer(PublicationWriter publications, EdgeProducer producer) {
        RetainedWriter made =
                new RetainedWriter(publications, producer, config.topics().retained(), table);
        writer = made;
        return made;
    }

    /** From now on it is handed out; once there is a writer. */
    void start(DeliveryReader deliveries, Supplier<Generations> generations, EdgeLoop loop, EdgeState state) {
        reader.start(
                config.kafka(),
                config.topics().deliveries(config.edge()),
                deliveries::hasRead,
                state.seen(),
                generations,
                Objects.requireNonNull(writer, "writer"),
                new RetainedOutput(loop, state, clock));
    }

    @Override
    public void close() {
        reader.close();
    }
}
