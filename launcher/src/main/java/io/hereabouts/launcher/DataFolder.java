package io.hereabouts.launcher;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The folder that a stack keeps its data in, for one stack at a time: two would spoil each other's Kafka. */
final class DataFolder implements AutoCloseable {

    private final FileChannel channel;

    private DataFolder(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Makes the folder if it is not there, and takes it.
     *
     * @throws IOException if another stack has it, or it cannot be made or written to; the message names the setting
     */
    static DataFolder take(Path folder) throws IOException {
        Files.createDirectories(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isTaken(channel)) {
            return new DataFolder(channel);
        }
        channel.close();
        throw new IOException(folder.toAbsolutePath()
                + " is the data folder of a stack that runs: stop that one, or set 'data' to another folder");
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            // held until the channel is closed, or the process ends in whatever way
            FileLock lock = channel.tryLock();
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
