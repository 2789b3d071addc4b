package io.hereabouts.bridge.subscription;

import io.hereabouts.model.topic.ShareName;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where the broker keeps neighborhood subscriptions: {@code $hereabouts/n/<hash of client and neighborhood-id>/<topic filter>}.
 * On the plain topic filter the broker's own tree would hand them publications without entity, wills and retained
 * messages, and a second neighborhood on one topic filter would overwrite the first. On one that clients share each delivery
 * would have to look for its client among all of them. No state.
 */
public final class HiddenTopics {

    /** Nobody but the edge may publish below it, or subscribe elsewhere than below {@link #STATUS}. */
    public static final String ROOT = "$hereabouts/";

    /** Below it clients hear what became of their neighborhoods. */
    public static final String STATUS = ROOT + "neighborhoods/";

    /** Nobody publishes on it: what an edge wants to know of a neighborhood, but not to be delivered. */
    public static final TopicFilter NOBODYS = TopicFilter.parse(ROOT + "access");

    private static final String NEIGHBORHOODS = ROOT + "n/";
    private static final int PREFIX_CHARS = NEIGHBORHOODS.length() + 32 + 1;

    private HiddenTopics() {}

    /** The hidden topic filter or topic name for a neighborhood-id of a client; names that MQTT allows have no U+0000. */
    public static String hide(String client, String neighborhoodId, String topic) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest((client + "\0" + neighborhoodId).getBytes(StandardCharsets.UTF_8));
            return NEIGHBORHOODS + HexFormat.of().formatHex(Arrays.copyOf(hash, 16)) + "/" + topic;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The same where it is shared, which must not be where those are that are not. */
    static String hide(String client, ShareName share, String neighborhoodId, String topic) {
        return hide(client, share.isNone() ? neighborhoodId : share.value() + "\0" + neighborhoodId, topic);
    }

    /** The hidden topic filter of what a client names; of a malformed one something that nobody has. */
    public static String hideSubscribed(String client, String neighborhoodId, String text) {
        try {
            SubscribedFilter filter = SubscribedFilter.parse(text);
            return hide(
                    client, filter.share(), neighborhoodId, filter.topicFilter().value());
        } catch (IllegalArgumentException e) {
            return hide(client, neighborhoodId, text);
        }
    }

    /** The topic as clients know it. */
    public static String restore(String topic) {
        return topic.startsWith(NEIGHBORHOODS) && topic.length() > PREFIX_CHARS ? topic.substring(PREFIX_CHARS) : topic;
    }

    /** True for topics below {@link #ROOT} but not below {@link #STATUS}. */
    public static boolean isHidden(String topic) {
        return topic.startsWith(ROOT) && !isStatus(topic);
    }

    /** True for topics below {@link #STATUS}. */
    public static boolean isStatus(String topic) {
        return topic.startsWith(STATUS);
    }

    /**
     * Where the client that chose this neighborhood-id hears what became of the neighborhood. What a topic name cannot
     * have, and {@code %}, is percent-encoded.
     */
    public static String status(String neighborhoodId) {
        return STATUS + neighborhoodId.replace("%", "%25").replace("+", "%2B").replace("#", "%23");
    }

    /** Matches nothing and was subscribed by nobody: what takes the place of a topic filter that must not be touched. */
    public static String nothing(int index) {
        return ROOT + "none/" + index;
    }
}
