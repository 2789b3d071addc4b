package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.kafka.RetainedReader;
import io.hereabouts.bridge.retained.HandOut;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;

/** Brings to the edge's thread what the reader of retained publications finds. Thread-safe. */
public final class RetainedOutput implements RetainedReader.Output {

    private final Executor loop;
    private final EdgeState state;
    private final Clock clock;

    public RetainedOutput(Executor loop, EdgeState state, Clock clock) {
        this.loop = loop;
        this.state = state;
        this.clock = clock;
    }

    @Override
    public void handOut(List<HandOut> some) {
        loop.execute(() -> state.retained().handOut(some, clock.millis()));
    }

    @Override
    public void left(NeighborhoodId neighborhood, Collection<String> entities) {
        loop.execute(() -> state.retained().left(neighborhood, entities));
    }
}
