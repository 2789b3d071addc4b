package io.hereabouts.model.interest;

import java.util.regex.Pattern;

/**
 * Names an edge, a bridge instance: 1 to 64 of {@code a-z A-Z 0-9 . _ -}, so that it can end a Kafka topic name.
 * Immutable.
 *
 * @param value the id
 */
public record EdgeId(String value) implements Comparable<EdgeId> {

    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public EdgeId {
        if (!SYNTAX.matcher(value).matches()) {
            throw new IllegalArgumentException("edge id '" + value + "' is not 1 to 64 of a-z A-Z 0-9 . _ -");
        }
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
