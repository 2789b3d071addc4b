package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.kafka.SubscriptionEffects;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * What an edge does first when it ends and its sessions end with it: its clients leave their groups, and what is still routed
 * here for those is handed on, until the routers have noticed and no more comes. Nobody says when they have, so it is over
 * when nothing came for a while.
 */
public final class LeavingGroups implements AutoCloseable {

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofSeconds(5);

    private final EdgeLoop loop;
    private final EdgeState state;
    private final SubscriptionEffects effects;
    private final BooleanSupplier lost;
    private final Clock clock;

    /** @param lost whether the edge has lost its lease: then another process has what is routed here */
    public LeavingGroups(
            EdgeLoop loop, EdgeState state, SubscriptionEffects effects, BooleanSupplier lost, Clock clock) {
        this.lost = lost;
        this.loop = loop;
        this.state = state;
        this.effects = effects;
        this.clock = clock;
    }

    @Override
    public void close() {
        if (lost.getAsBoolean()
                || CompletableFuture.supplyAsync(state::leaveGroups, loop).join() == 0) {
            return;
        }
        long end = System.nanoTime() + MOST.toNanos();
        long[] busyAt = {clock.millis()};
        try {
            while (!isQuiet(busyAt) && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isQuiet(long[] busyAt) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            busyAt[0] =
                                    Math.max(busyAt[0], effects.unstored() == 0 ? state.handedOnAt() : clock.millis());
                            return clock.millis() - busyAt[0] >= QUIET.toMillis();
                        },
                        loop)
                .join();
    }
}
