package io.hereabouts.bridge.retained;

import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.RetainedKey;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Retained publications as tests need them. */
final class RetainedRecord {

    private RetainedRecord() {}

    static Publication publication(String topic, String payload, @Nullable Long expirySeconds) {
        return new Publication(
                topic,
                "id-" + payload,
                "publisher",
                "edge",
                1,
                true,
                1_000L,
                expirySeconds,
                null,
                null,
                null,
                null,
                List.of(),
                ByteBuffer.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    static SourcePosition at(long offset) {
        return new SourcePosition(1, offset);
    }

    static Retained kept(String topic, String entity, long offset) {
        return kept(topic, entity, offset, null);
    }

    static Retained kept(String topic, String entity, long offset, @Nullable Long expirySeconds) {
        try {
            return Retained.of(
                    new RetainedKey(topic, entity),
                    at(offset),
                    Framing.encode(publication(topic, String.valueOf(offset), expirySeconds)),
                    5_000);
        } catch (UndecodableException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
