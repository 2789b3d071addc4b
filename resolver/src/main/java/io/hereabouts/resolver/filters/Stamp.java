package io.hereabouts.resolver.filters;

/**
 * Orders everything ever written under one key of {@code filters}: a reader ignores what is older than what it has.
 *
 * @param epoch grows with every change of owner
 * @param version grows with every decision of one owner
 */
public record Stamp(long epoch, long version) implements Comparable<Stamp> {

    /** Older than everything that is written. */
    public static final Stamp NONE = new Stamp(0, 0);

    @Override
    public int compareTo(Stamp other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(version, other.version);
    }
}
