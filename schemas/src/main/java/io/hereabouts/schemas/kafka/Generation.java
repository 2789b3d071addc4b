package io.hereabouts.schemas.kafka;

/**
 * A pair of the Kafka topics {@code publications} and {@code filters}. Partitions cannot be added to them, for that would
 * put half of the entities into other partitions than their filters; instead a generation with more partitions follows.
 * Immutable.
 *
 * @param number from 1 on
 * @param partitions of both topics, at least 1
 */
public record Generation(int number, int partitions) {

    /** @throws IllegalArgumentException if one of them is less than 1 */
    public Generation {
        if (number < 1) {
            throw new IllegalArgumentException("generation " + number + ", expected at least 1");
        }
        if (partitions < 1) {
            throw new IllegalArgumentException("topics.partitions is " + partitions + ", expected at least 1");
        }
    }

    /** The one that a system begins with. */
    public static Generation first(int partitions) {
        return new Generation(1, partitions);
    }

    /** The one that follows this. */
    public Generation grownTo(int morePartitions) {
        return new Generation(number + 1, morePartitions);
    }

    /** What the names of its Kafka topics and consumer groups end with; nothing for the first. */
    public String suffix() {
        return number == 1 ? "" : ".g" + number;
    }

    @Override
    public String toString() {
        return "generation " + number + " (" + partitions + " partitions)";
    }
}
