package io.hereabouts.model.topic;

/**
 * A valid MQTT topic filter (MQTT 5.0 §4.7): levels separated by {@code /}, {@code +} for one level, {@code #} for the
 * rest as the last level. Shared subscriptions are not topic filters: strip {@code $share/group/} first. Immutable.
 *
 * @param value the topic filter as it travels
 */
public record TopicFilter(String value) {

    /** More levels than this are served nowhere: HiveMQ finds no subscriber beyond 1,000, and hidden topics need a few. */
    public static final int MAX_LEVELS = 900;

    public TopicFilter {
        TopicSyntax.check(value, "topic filter");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '+' && c != '#') {
                continue;
            }
            boolean alone =
                    (i == 0 || value.charAt(i - 1) == '/') && (i + 1 == value.length() || value.charAt(i + 1) == '/');
            if (!alone) {
                throw new IllegalArgumentException(
                        "topic filter has '" + c + "' at index " + i + " that does not fill its level");
            }
            if (c == '#' && i + 1 < value.length()) {
                throw new IllegalArgumentException("topic filter has '#' at index " + i + " before the last level");
            }
        }
    }

    /**
     * Parses a topic filter.
     *
     * @throws IllegalArgumentException naming the index of what is wrong
     */
    public static TopicFilter parse(String value) {
        return new TopicFilter(value);
    }

    /** How many levels it has, at least 1. */
    public int levels() {
        int levels = 1;
        for (int i = 0; i < value.length(); i++) {
            levels += value.charAt(i) == '/' ? 1 : 0;
        }
        return levels;
    }

    /** Whether this filter matches the name; linear in the shorter of the two. */
    public boolean matches(TopicName name) {
        return matches(name.value());
    }

    /** As {@link #matches(TopicName)}, for hot paths that hold a topic name which was validated when it came in. */
    public boolean matches(String name) {
        String filter = value;
        if (name.charAt(0) == '$' && (filter.charAt(0) == '+' || filter.charAt(0) == '#')) {
            return false;
        }
        int f = 0;
        int n = 0;
        int filterEnd = filter.length();
        int nameEnd = name.length();
        while (f < filterEnd) {
            char c = filter.charAt(f);
            if (c == '#') {
                return true;
            }
            if (c == '+') {
                while (n < nameEnd && name.charAt(n) != '/') {
                    n++;
                }
                f++;
            } else if (n < nameEnd && name.charAt(n) == c) {
                f++;
                n++;
            } else {
                // "a/#" also matches "a" (§4.7.1.2)
                return n == nameEnd && c == '/' && f + 2 == filterEnd && filter.charAt(f + 1) == '#';
            }
        }
        return n == nameEnd;
    }

    @Override
    public String toString() {
        return value;
    }
}
