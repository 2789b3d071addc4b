package io.hereabouts.router;

import java.util.OptionalLong;

/**
 * Where the group has to begin in one partition, decided before the router joins it: Kafka must never choose by itself,
 * for it would silently skip what waits. A rule without state.
 *
 * @param move the offset to commit before the start; empty if what is committed can stay
 * @param lost records between what was committed and the first that Kafka still has
 */
record StartOffset(OptionalLong move, long lost) {

    private static final StartOffset STAY = new StartOffset(OptionalLong.empty(), 0);

    /**
     * Decides.
     *
     * @param committed the group's offset; empty at the very first start, or after Kafka forgot it
     * @param begin offset of the first record that Kafka still has
     * @param end offset after the last one
     */
    static StartOffset decide(OptionalLong committed, long begin, long end) {
        if (committed.isEmpty()) {
            return new StartOffset(OptionalLong.of(begin), 0);
        }
        long at = committed.getAsLong();
        if (at < begin) {
            return new StartOffset(OptionalLong.of(begin), begin - at);
        }
        if (at > end) {
            // the Kafka topic was made anew: all that is in it is new
            return new StartOffset(OptionalLong.of(begin), 0);
        }
        return STAY;
    }
}
