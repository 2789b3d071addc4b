package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Ids of replayed publications: the first 16 bytes of the SHA-256 of file name, line number, entity, topic name and the
 * line's bytes. Replaying the same row of the same file again gives the same id, so that a repeat can be told; a row
 * that was edited is another publication. The folder and a {@code .gz} at the end do not count. Not thread-safe.
 */
final class PublicationIds {

    private static final int BYTES = 16;

    private final MessageDigest sha256;
    private final byte[] fileName;

    PublicationIds(Path file) {
        this.fileName = FileColumns.bareName(file).getBytes(StandardCharsets.UTF_8);
        try {
            this.sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    String of(long lineNumber, EntityId entity, TopicName topic, byte[] line) {
        part(fileName);
        sha256.update(ByteBuffer.allocate(Long.BYTES).putLong(0, lineNumber));
        part(entity.bytes());
        part(topic.value().getBytes(StandardCharsets.UTF_8));
        part(line);
        return HexFormat.of().formatHex(sha256.digest(), 0, BYTES);
    }

    /** With its length before it, so that no two lists of parts have the same bytes. */
    private void part(byte[] bytes) {
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        sha256.update(bytes);
    }
}
