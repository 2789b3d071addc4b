package io.hereabouts.schemas.kafka;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * What there is one retained publication for. As the key of a record it is UTF-8 text, the two parts divided by U+0000,
 * which neither of them may have. Immutable.
 *
 * @param topic MQTT topic name
 */
public record RetainedKey(String topic, String entity) {

    private static final char BAR = '\0';

    /** The key of the record. */
    public byte[] bytes() {
        return (topic + BAR + entity).getBytes(StandardCharsets.UTF_8);
    }

    /** What a record's key names. */
    public static RetainedKey parse(byte[] key) throws UndecodableException {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(key))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndecodableException("key of " + key.length + " bytes is not UTF-8");
        }
        int bar = text.indexOf(BAR);
        if (bar < 1) {
            throw new UndecodableException("key is not topic name, U+0000, entity");
        }
        try {
            return new RetainedKey(
                    text.substring(0, bar), EntityId.of(text.substring(bar + 1)).value());
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("key: " + e.getMessage());
        }
    }
}
