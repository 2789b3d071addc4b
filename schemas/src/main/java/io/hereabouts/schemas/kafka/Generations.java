package io.hereabouts.schemas.kafka;

import io.hereabouts.schemas.avro.Growth;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Which generations there are, and which of them publications go to: what the only record of the Kafka topic
 * {@code generations} says. A system grows by {@link #preparing}, {@link #switched} and {@link #grown}, in this order.
 * Immutable.
 *
 * @param current the one that routers route
 * @param next the one that is being prepared
 * @param switching whether publications go to the next one
 */
public record Generations(Generation current, Optional<Generation> next, boolean switching) {

    private static final byte[] KEY = "growth".getBytes(StandardCharsets.UTF_8);

    /** @throws IllegalArgumentException if there is no next one to switch to, or it is not the successor */
    public Generations {
        if (switching && next.isEmpty()) {
            throw new IllegalArgumentException("switching to no generation");
        }
        if (next.isPresent() && next.get().number() != current.number() + 1) {
            throw new IllegalArgumentException(next.get() + " does not follow " + current);
        }
    }

    /** Nothing has grown, nothing grows. */
    public static Generations only(Generation current) {
        return new Generations(current, Optional.empty(), false);
    }

    /** A next generation is there to be filled. */
    public Generations preparing(int partitions) {
        return new Generations(current, Optional.of(current.grownTo(partitions)), false);
    }

    /** From now on publications go to the next generation. */
    public Generations switched() {
        return new Generations(current, next, true);
    }

    /** The next generation is the only one. */
    public Generations grown() {
        return only(next.orElseThrow());
    }

    /** The one that publications are written to. */
    public Generation published() {
        return switching ? next.orElseThrow() : current;
    }

    /** Those that filters are written to: in all of them an interest has to be active. */
    public List<Generation> all() {
        return next.map(n -> List.of(current, n)).orElseGet(() -> List.of(current));
    }

    /** Key of the record. */
    static byte[] key() {
        return KEY.clone();
    }

    /** Value of the record. */
    byte[] value() {
        return Framing.encode(new Growth(
                current.number(),
                current.partitions(),
                next.map(Generation::number).orElse(0),
                next.map(Generation::partitions).orElse(0),
                switching));
    }

    /** What a record says. */
    static Generations parse(byte[] value) throws UndecodableException {
        Growth growth = Framing.decode(value, Growth.class);
        try {
            return new Generations(
                    new Generation(growth.getCurrent(), growth.getPartitions()),
                    growth.getNext() == 0
                            ? Optional.empty()
                            : Optional.of(new Generation(growth.getNext(), growth.getNextPartitions())),
                    growth.getSwitching());
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("growth: " + e.getMessage());
        }
    }
}
