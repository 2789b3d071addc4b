package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.model.topic.SubscribedFilter;
import io.hereabouts.model.topic.TopicFilter;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Keys of our Kafka topics as UTF-8 text. A topic filter may have any character, an edge id and a neighborhood have no
 * {@code |}: so the first and the last bar are the ones that divide. A topic filter that a group shares is there as it travels,
 * {@code $share/<share name>/<topic filter>}.
 */
public final class Keys {

    private static final byte[] PROBE = utf8("!probe");
    private static final byte[] OWNER = utf8("O");

    private Keys() {}

    /** A tombstone under this key proves that a partition takes writes; all readers skip it. */
    public static byte[] probe() {
        return PROBE.clone();
    }

    /** True for the key of a probe; false for no key at all. */
    public static boolean isProbe(byte @Nullable [] key) {
        return key != null && Arrays.equals(key, PROBE);
    }

    /** Key of the record in each partition of {@code filters} that says which router task owns it. */
    public static byte[] owner() {
        return OWNER.clone();
    }

    /** True for {@link #owner()}. */
    public static boolean isOwner(byte[] key) {
        return Arrays.equals(key, OWNER);
    }

    /** Key in the Kafka topic of interests. */
    public static byte[] interest(Interest interest) {
        return utf8(text(interest));
    }

    /** Key of an interest in {@code filters}. */
    public static byte[] filterInterest(Interest interest) {
        return utf8("I|" + text(interest));
    }

    /** Key of a slice in {@code filters}. */
    public static byte[] slice(NeighborhoodId neighborhood) {
        return utf8("S|" + neighborhood.value());
    }

    /** True for the key of a slice in {@code filters}. */
    public static boolean isSlice(byte[] key) {
        return key.length > 2 && key[0] == 'S' && key[1] == '|';
    }

    /** True for the key of an interest in {@code filters}. */
    public static boolean isFilterInterest(byte[] key) {
        return key.length > 2 && key[0] == 'I' && key[1] == '|';
    }

    /** The neighborhood of a slice's key. */
    public static NeighborhoodId parseSlice(byte[] key) throws UndecodableException {
        try {
            return NeighborhoodId.of(text(key, 2));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("slice key: " + e.getMessage());
        }
    }

    /** The interest of a key in {@code filters}. */
    public static Interest parseFilterInterest(byte[] key) throws UndecodableException {
        return parse(text(key, 2));
    }

    /** The interest of a key in {@code interests}. */
    public static Interest parseInterest(byte[] key) throws UndecodableException {
        return parse(text(key, 0));
    }

    /** Key in {@code subscriptions}; the parts are divided by U+0000, which MQTT allows in none of them. */
    public static byte[] subscription(EdgeId edge, String client, String topicFilter, String neighborhoodId) {
        return utf8(String.join("\0", edge.value(), client, topicFilter, neighborhoodId));
    }

    /**
     * Key in {@code wills}: each connection has a record of its own, so that none replaces another's.
     *
     * @param run of the edge
     * @param connection number of the connection in that run
     */
    public static byte[] will(EdgeId edge, String client, String run, long connection) {
        return utf8(String.join("\0", edge.value(), client, run, String.valueOf(connection)));
    }

    /** Key in {@code sessions}. */
    public static byte[] session(String client) {
        return utf8(client);
    }

    /** Key of an edge's lease in {@code edges}. */
    public static byte[] lease(EdgeId edge) {
        return utf8(edge.value());
    }

    /** Key in {@code edges} under which somebody asks whether an edge lives, which then renews its lease at once. */
    public static byte[] leaseQuestion(EdgeId edge) {
        return utf8("?|" + edge.value());
    }

    /** Key in {@code edges} of how far the removal of an edge is. */
    public static byte[] edgeRemoval(EdgeId edge) {
        return utf8("x|" + edge.value());
    }

    private static Interest parse(String text) throws UndecodableException {
        int first = text.indexOf('|');
        int last = text.lastIndexOf('|');
        if (first < 0 || first == last) {
            throw new UndecodableException("interest key is not neighborhood|topic filter|edge: " + text);
        }
        try {
            SubscribedFilter filter = SubscribedFilter.parse(text.substring(first + 1, last));
            int levels = filter.topicFilter().levels();
            if (levels > TopicFilter.MAX_LEVELS) {
                throw new UndecodableException(
                        "interest key: topic filter has " + levels + " levels, the limit is " + TopicFilter.MAX_LEVELS);
            }
            return new Interest(
                    NeighborhoodId.of(text.substring(0, first)),
                    filter.topicFilter(),
                    filter.share(),
                    EdgeId.of(text.substring(last + 1)));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("interest key: " + e.getMessage());
        }
    }

    private static String text(Interest i) {
        return i.neighborhood().value() + "|" + i.filter().text() + "|"
                + i.edge().value();
    }

    /** Strict: bytes that are no UTF-8 would otherwise become the key of something else. */
    private static String text(byte[] key, int from) throws UndecodableException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(key, Math.min(from, key.length), Math.max(0, key.length - from)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndecodableException("key of " + key.length + " bytes is not UTF-8");
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
