package io.hereabouts.bridge.kafka;

import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.will.SpatialWill;
import io.hereabouts.bridge.will.Wills;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Will;
import io.hereabouts.schemas.kafka.Keys;
import io.hereabouts.schemas.record.Framing;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps wills in Kafka and publishes them. A will is removed when Kafka has its publication: an edge that is killed
 * leaves nothing unpublished. Owned by the edge's thread.
 */
public final class WillEffects implements Wills.Output {

    private static final Logger LOG = LoggerFactory.getLogger(WillEffects.class);

    private final EdgeId edge;
    private final String run;
    private final CompactedTable wills;
    private final PublicationWriter writer;
    private final Executor owner;
    private final EdgeMetrics metrics;
    private final InstantSource clock;
    private @Nullable RetainedWriter retained;
    private final List<SpatialWill> unwritten = new ArrayList<>();
    private int underway;
    private boolean abandoned;

    /** @param run of this edge */
    public WillEffects(
            EdgeId edge,
            String run,
            CompactedTable wills,
            PublicationWriter writer,
            Executor owner,
            EdgeMetrics metrics,
            InstantSource clock) {
        this.edge = edge;
        this.run = run;
        this.wills = wills;
        this.writer = writer;
        this.owner = owner;
        this.metrics = metrics;
        this.clock = clock;
    }

    /** Who takes what is to be retained; before there are wills. */
    public void retainsBy(RetainedWriter by) {
        this.retained = by;
    }

    @Override
    public void keep(SpatialWill will, Runnable kept) {
        Will record = new Will(
                will.entity().value(), will.delaySeconds(), ByteBuffer.wrap(Framing.encode(will.publication())));
        wills.put(0, key(will), Framing.encode(record), kept);
    }

    @Override
    public void forget(SpatialWill will, Wills.End why) {
        metrics.will(why.name().toLowerCase(Locale.ROOT));
        remove(will);
    }

    /**
     * At QoS 1 first by the way that the client's other publications went, so that it stays behind them; what that does
     * not bring to Kafka in time is written until it is there.
     */
    @Override
    public void publish(SpatialWill will) {
        underway++;
        Publication publication = Publication.newBuilder(will.publication())
                .setEventTime(clock.millis())
                .build();
        byte[] record = Framing.encode(publication);
        CompletableFuture<Void> stored = write(publication.getQos(), will.entity(), publication, record);
        if (publication.getQos() == 1) {
            stored = stored.exceptionallyCompose(failure -> write(2, will.entity(), publication, record));
        }
        var unused = stored.handle((ok, failure) -> {
            owner.execute(() -> written(will, failure));
            return failure == null;
        });
    }

    /** By the way of this QoS; to be retained as well, if it says so. */
    private CompletableFuture<Void> write(int way, EntityId entity, Publication publication, byte[] record) {
        if (publication.getRetain()) {
            boolean clears = !publication.getPayload().hasRemaining();
            return Objects.requireNonNull(retained, "retained")
                    .write(way, entity, record, publication.getTopic(), clears);
        }
        return writer.write(way, entity, record, PublicationWriter.NOTHING);
    }

    private void written(SpatialWill will, @Nullable Throwable failure) {
        underway--;
        int qos = will.publication().getQos();
        if (failure == null) {
            metrics.published(qos);
            metrics.will("published");
            remove(will);
        } else if (qos == 0 || isFinal(failure)) {
            LOG.warn("the will of {} could not be published: {}", will.client(), failure.toString());
            metrics.dropped("kafka", qos);
            metrics.will("dropped");
            remove(will);
        } else {
            unwritten.add(will);
        }
    }

    /** Kafka will never take it; a full buffer, or a producer that is closed, says nothing of that kind. */
    private static boolean isFinal(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable why = failure instanceof CompletionException && cause != null ? cause : failure;
        return why instanceof ApiException && !(why instanceof RetriableException);
    }

    private void remove(SpatialWill will) {
        if (!abandoned) {
            wills.put(0, key(will), null, () -> {});
        }
    }

    /** Sends again what Kafka did not take. */
    public void retry() {
        if (abandoned) {
            return;
        }
        wills.retry();
        List<SpatialWill> again = List.copyOf(unwritten);
        unwritten.clear();
        again.forEach(this::publish);
    }

    /** Somebody else has these wills now: nothing is said about them any more. */
    public void abandon() {
        abandoned = true;
    }

    /** How many wills are not in Kafka, or out of it, as they should be. */
    public int unsettled() {
        return abandoned ? 0 : wills.unstored() + unwritten.size() + underway;
    }

    private byte[] key(SpatialWill will) {
        return Keys.will(edge, will.client(), run, will.connection());
    }
}
