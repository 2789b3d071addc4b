package io.hereabouts.bridge.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.kafka.HandedOn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Publications on their way back to the router, for another member of their group. A session that ends can leave many: some
 * are on their way at a time, the rest waits here, because others need Kafka's buffer, too. Owned by the edge's thread.
 */
public final class HandingOn {

    private static final long MOST_BYTES = 4L << 20;

    /** Brings a publication to the router again. */
    public interface Hands {
        CompletableFuture<Void> on(int qos, EntityId entity, byte[] publication, HandedOn header);
    }

    private record Waiting(
            int bytes, boolean isPatient, Supplier<CompletableFuture<Void>> write, CompletableFuture<Void> done) {}

    private final Hands hands;
    private final Executor loop;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private final List<Waiting> again = new ArrayList<>();
    private long bytesUnderway;

    /** @param loop the edge's thread */
    public HandingOn(Hands hands, Executor loop) {
        this.hands = hands;
        this.loop = loop;
    }

    /**
     * Done when Kafka has it, however long that takes; fails if Kafka can never have it. At QoS 0 it fails when Kafka does not
     * take it at once.
     */
    public CompletableFuture<Void> on(int qos, EntityId entity, byte[] publication, HandedOn header) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        waiting.add(new Waiting(publication.length, qos > 0, () -> hands.on(qos, entity, publication, header), done));
        pump();
        return done;
    }

    /** Tries again what there was no room for. */
    public void tick() {
        for (int i = again.size() - 1; i >= 0; i--) {
            waiting.addFirst(again.get(i));
        }
        again.clear();
        pump();
    }

    private void pump() {
        while (again.isEmpty() && bytesUnderway < MOST_BYTES) {
            Waiting next = waiting.poll();
            if (next == null) {
                return;
            }
            bytesUnderway += next.bytes();
            var unused = next.write().get().whenComplete((done, failure) -> loop.execute(() -> ended(next, failure)));
        }
    }

    private void ended(Waiting what, @Nullable Throwable failure) {
        bytesUnderway -= what.bytes();
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null) {
            what.done().complete(null);
        } else if (what.isPatient() && cause instanceof RetriableException) {
            again.add(what);
        } else {
            what.done().completeExceptionally(cause);
        }
        pump();
    }
}
