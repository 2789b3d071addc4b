package io.hereabouts.model.entity;

import java.nio.charset.StandardCharsets;

/**
 * The unique id of a physical entity: 1 to 256 bytes of UTF-8 without control characters. Its UTF-8 bytes are the key
 * that decides the partition of everything said about the entity. Immutable.
 *
 * @param value the id as users write it
 */
public record EntityId(String value) implements Comparable<EntityId> {

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_BYTES = 256;

    public EntityId {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("entity id is empty");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isISOControl(c)) {
                throw new IllegalArgumentException("entity id has a control character at index " + i);
            }
        }
        int unpaired = Utf16.unpairedSurrogate(value);
        if (unpaired >= 0) {
            throw new IllegalArgumentException("entity id has an unpaired surrogate at index " + unpaired);
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException("entity id has " + bytes + " bytes, the limit is " + MAX_BYTES);
        }
    }

    /** @throws IllegalArgumentException saying what is wrong */
    public static EntityId of(String value) {
        return new EntityId(value);
    }

    /** The UTF-8 bytes, a fresh array each time. */
    public byte[] bytes() {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int compareTo(EntityId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
