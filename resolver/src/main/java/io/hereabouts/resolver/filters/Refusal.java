package io.hereabouts.resolver.filters;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;

/**
 * Why a request is refused.
 *
 * @param reasonCode MQTT 5 reason code, from 0x80 on
 * @param reason what is wrong and where, fit for a reason string
 */
public record Refusal(int reasonCode, String reason) {

    /** MQTT 5: implementation specific error. The request is wrong and stays wrong. */
    public static final int IMPLEMENTATION_SPECIFIC = 0x83;

    /** MQTT 5: quota exceeded. The same request may succeed later, or with less. */
    public static final int QUOTA_EXCEEDED = 0x97;

    public Refusal {
        if (reasonCode < 0x80 || reasonCode > 0xff) {
            throw new IllegalArgumentException("reason code is " + reasonCode + ", expected 128 to 255");
        }
    }

    static Refusal sameHandle(NeighborhoodId id, NeighborhoodId other) {
        return new Refusal(
                IMPLEMENTATION_SPECIFIC,
                "$: neighborhood " + id + " has the same handle as " + other
                        + ", which is in use; change the descriptor");
    }

    static Refusal unknownReferences(List<EntityId> ids) {
        return new Refusal(IMPLEMENTATION_SPECIFIC, "$.stages: unknown entity '" + ids.get(0) + "'");
    }
}
