package io.hereabouts.model.topic;

/**
 * What a SUBSCRIBE names: a topic filter, or one that a group shares, {@code $share/<share name>/<topic filter>} (MQTT 5.0
 * §4.8.2). Immutable.
 *
 * @param share {@link ShareName#NONE} if it is not shared
 */
public record SubscribedFilter(ShareName share, TopicFilter topicFilter) {

    private static final String SHARE = "$share/";

    /**
     * Parses what a SUBSCRIBE names.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static SubscribedFilter parse(String text) {
        if (!isShared(text)) {
            return new SubscribedFilter(ShareName.NONE, TopicFilter.parse(text));
        }
        int slash = text.indexOf('/', SHARE.length());
        if (slash <= SHARE.length()) {
            throw new IllegalArgumentException("shared topic filter '" + text + "' is not $share/name/topic filter");
        }
        return new SubscribedFilter(
                new ShareName(text.substring(SHARE.length(), slash)), TopicFilter.parse(text.substring(slash + 1)));
    }

    /** Whether the text begins as a shared one does; it may be malformed. */
    public static boolean isShared(String text) {
        return text.startsWith(SHARE);
    }

    /** As it travels. */
    public String text() {
        return share.isNone() ? topicFilter.value() : SHARE + share.value() + "/" + topicFilter.value();
    }

    @Override
    public String toString() {
        return text();
    }
}
