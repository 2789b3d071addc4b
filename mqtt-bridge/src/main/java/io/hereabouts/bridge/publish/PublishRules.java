package io.hereabouts.bridge.publish;

import io.hereabouts.model.entity.EntityId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a PUBLISH that names an entity. MQTT 5 allows a PUBACK few reason codes (§3.4.2.1): "packet too large", for
 * one, exists for DISCONNECT only. An error PUBREC is never an answer: the broker
 * would swallow the next message with that packet id. Immutable and thread-safe.
 */
public final class PublishRules {

    /** What to do with the PUBLISH. */
    public sealed interface Decision permits Take, Refuse {}

    /** It goes to Kafka under this entity. */
    public record Take(EntityId entity) implements Decision {}

    /**
     * It is refused: at QoS 0 dropped and counted, else answered.
     *
     * @param code a PUBACK's reason code, or a DISCONNECT's
     * @param disconnects whether the code can only be said by a DISCONNECT
     */
    public record Refuse(Reason reason, int code, boolean disconnects, String text) implements Decision {}

    /** Why publications are refused; also the tag of the counter. */
    public enum Reason {
        SECOND_ENTITY,
        BAD_ENTITY,
        NOT_AUTHORIZED,
        TOO_LARGE,
        UNKNOWN_ENTITY,
        RETAINED_FULL,
        KAFKA_DOWN
    }

    /**
     * What the decision depends on.
     *
     * @param otherBytes of topic, user properties, response topic, correlation data and content type
     * @param noRoomToRetain whether it is to be retained and the edge has no memory left for that
     * @param entities the values of the {@code entity} properties, at least one
     * @param permitted whether the client may publish to the topic about this entity
     * @param kafkaDown whether Kafka is known not to answer
     */
    public record Facts(
            String topic,
            int qos,
            boolean noRoomToRetain,
            int payloadBytes,
            long otherBytes,
            List<String> entities,
            Predicate<EntityId> permitted,
            boolean kafkaDown) {}

    private static final int AT_LEAST_ONCE = 1;
    private static final int EXACTLY_ONCE = 2;

    private static final int IMPLEMENTATION_SPECIFIC = 0x83;
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int PACKET_TOO_LARGE = 0x95;
    private static final int QUOTA_EXCEEDED = 0x97;

    /** The Kafka topic takes 2 MiB; the rest is for client id, entity and the other fields of the record. */
    private static final int MAX_TOTAL_BYTES = 2_000_000;

    private final String property;
    private final int maxPayloadBytes;
    private final Predicate<EntityId> known;

    /**
     * @param property the user property that names the entity, for reasons
     * @param known whether an entity may be published about
     */
    public PublishRules(String property, int maxPayloadBytes, Predicate<EntityId> known) {
        this.property = property;
        this.maxPayloadBytes = maxPayloadBytes;
        this.known = known;
    }

    /** The decision, and for a refusal the first thing that is wrong. */
    public Decision decide(Facts facts) {
        Decision decision = decideAtAnyQos(facts);
        return facts.qos() == EXACTLY_ONCE && decision instanceof Refuse refused
                ? refuse(refused.reason(), refused.code(), true, refused.text())
                : decision;
    }

    private Decision decideAtAnyQos(Facts facts) {
        if (facts.entities().size() > 1) {
            return refuse(
                    Reason.SECOND_ENTITY,
                    IMPLEMENTATION_SPECIFIC,
                    false,
                    "user property '" + property + "': expected one, found "
                            + facts.entities().size());
        }
        EntityId entity;
        try {
            entity = EntityId.of(facts.entities().get(0));
        } catch (IllegalArgumentException e) {
            return refuse(
                    Reason.BAD_ENTITY,
                    IMPLEMENTATION_SPECIFIC,
                    false,
                    "user property '" + property + "': " + e.getMessage());
        }
        Refuse tooLarge = tooLarge(facts.payloadBytes(), facts.otherBytes(), "with '" + property + "'");
        if (tooLarge != null) {
            return tooLarge;
        }
        if (!facts.permitted().test(entity)) {
            return refuse(
                    Reason.NOT_AUTHORIZED,
                    NOT_AUTHORIZED,
                    false,
                    "not authorized to publish to " + facts.topic() + " about " + entity);
        }
        if (!known.test(entity)) {
            return refuse(
                    Reason.UNKNOWN_ENTITY,
                    IMPLEMENTATION_SPECIFIC,
                    false,
                    "user property '" + property + "': the world has no entity " + entity);
        }
        if (facts.noRoomToRetain()) {
            return refuse(
                    Reason.RETAINED_FULL,
                    QUOTA_EXCEEDED,
                    false,
                    "no more publications with '" + property + "' can be retained, the limit is edge.retained-bytes");
        }
        // at QoS 2 it is taken nevertheless: what is refused once can never be sent again under its packet id
        if (facts.kafkaDown() && facts.qos() != EXACTLY_ONCE) {
            return refuse(Reason.KAFKA_DOWN, QUOTA_EXCEEDED, false, "Kafka does not answer, try again later");
        }
        return new Take(entity);
    }

    /**
     * What is wrong with a message without entity that is to be carried to other edges.
     *
     * @param otherBytes as in {@link Facts}
     * @param kafkaDown whether Kafka is known not to answer; at QoS 0 the message goes to this edge's clients nevertheless
     */
    public Optional<Refuse> carried(int qos, int payloadBytes, long otherBytes, boolean kafkaDown) {
        Refuse tooLarge = tooLarge(payloadBytes, otherBytes, "on a topic of bridge.topics");
        return tooLarge != null
                ? Optional.of(tooLarge)
                : Optional.of(refuse(
                                Reason.KAFKA_DOWN, QUOTA_EXCEEDED, false, "Kafka does not answer, try again later"))
                        .filter(down -> kafkaDown && qos == AT_LEAST_ONCE);
    }

    private @Nullable Refuse tooLarge(int payloadBytes, long otherBytes, String where) {
        if (payloadBytes > maxPayloadBytes) {
            return refuse(
                    Reason.TOO_LARGE,
                    PACKET_TOO_LARGE,
                    true,
                    "payload has " + payloadBytes + " bytes, the limit " + where + " is " + maxPayloadBytes);
        }
        long total = payloadBytes + otherBytes;
        return total > MAX_TOTAL_BYTES
                ? refuse(
                        Reason.TOO_LARGE,
                        PACKET_TOO_LARGE,
                        true,
                        "payload, topic and properties have " + total + " bytes, the limit " + where + " is "
                                + MAX_TOTAL_BYTES)
                : null;
    }

    private static Refuse refuse(Reason reason, int code, boolean disconnects, String text) {
        return new Refuse(reason, code, disconnects, text);
    }
}
