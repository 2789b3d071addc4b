package io.hereabouts.model.topic;

/**
 * Names the group that shares a subscription (MQTT 5.0 §4.8.2): {@code $share/<share name>/<topic filter>}; or nobody's, of
 * a subscription that is not shared. Immutable.
 *
 * @param value without {@code /}, {@code +}, {@code #} and U+0000; empty for {@link #NONE}
 */
public record ShareName(String value) {

    /** Of a subscription that is not shared. */
    public static final ShareName NONE = new ShareName("");

    public ShareName {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '/' || c == '+' || c == '#' || c == 0) {
                throw new IllegalArgumentException("share name has '" + c + "' at index " + i);
            }
        }
        if (!value.isEmpty()) {
            TopicSyntax.check(value, "share name");
        }
    }

    /** True for {@link #NONE}. */
    public boolean isNone() {
        return value.isEmpty();
    }

    @Override
    public String toString() {
        return value;
    }
}
