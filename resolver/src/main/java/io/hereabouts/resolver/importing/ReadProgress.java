package io.hereabouts.resolver.importing;

/** Told how far the reading of a file has come, on the thread that reads. */
@FunctionalInterface
public interface ReadProgress {

    /** Tells nobody. */
    ReadProgress NONE = (bytes, of) -> {};

    /**
     * So much has been read.
     *
     * @param bytes of the file as it is on the disk; a file that is read several times counts as often
     * @param of how many there will be in all
     */
    void read(long bytes, long of);
}
