package io.hereabouts.model.interest;

/**
 * Names an edge, a bridge instance: 1 to 64 of {@code a-z A-Z 0-9 . _ -}, so that it can end a Kafka topic name.
 * Immutable.
 *
 * @param value the id
 */
public record EdgeId(String value) implements Comparable<EdgeId> {

    private static final int MAX_LENGTH = 64;

    public EdgeId {
        if (!isName(value)) {
            throw new IllegalArgumentException("edge id '" + value + "' is not 1 to 64 of a-z A-Z 0-9 . _ -");
        }
    }

    /** By hand: a router that starts makes millions of them. */
    private static boolean isName(String value) {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean isOther = (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
            if (!isLetter && !isOther) {
                return false;
            }
        }
        return true;
    }

    /** @throws IllegalArgumentException saying what is wrong */
    public static EdgeId of(String value) {
        return new EdgeId(value);
    }

    @Override
    public int compareTo(EdgeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
