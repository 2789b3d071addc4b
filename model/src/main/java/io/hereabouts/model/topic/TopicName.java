package io.hereabouts.model.topic;

/**
 * A valid MQTT topic name (MQTT 5.0 §4.7): 1 to 65,535 bytes of UTF-8, no wildcards, no U+0000. Immutable.
 *
 * @param value the topic name as it travels
 */
public record TopicName(String value) {

    public TopicName {
        TopicSyntax.check(value, "topic name");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '+' || c == '#') {
                throw new IllegalArgumentException("topic name has wildcard '" + c + "' at index " + i);
            }
        }
    }

    /**
     * Parses a topic name.
     *
     * @throws IllegalArgumentException naming the index of what is wrong
     */
    public static TopicName parse(String value) {
        return new TopicName(value);
    }

    /** True for names such as {@code $SYS/…}, which wildcards at the first level do not match (MQTT 5.0 §4.7.2). */
    public boolean isReserved() {
        return value.charAt(0) == '$';
    }

    @Override
    public String toString() {
        return value;
    }
}
