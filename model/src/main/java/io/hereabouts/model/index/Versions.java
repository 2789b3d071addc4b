package io.hereabouts.model.index;

/** The order of writes: first the owner's epoch, then the version. No state. */
final class Versions {

    private Versions() {}

    /** Whether (epoch, version) was written after (otherEpoch, otherVersion). */
    static boolean isAfter(long epoch, long version, long otherEpoch, long otherVersion) {
        return epoch != otherEpoch ? epoch > otherEpoch : version > otherVersion;
    }
}
