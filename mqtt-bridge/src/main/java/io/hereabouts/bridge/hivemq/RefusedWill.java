package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.connect.ConnackReasonCode;
import com.hivemq.extension.sdk.api.packets.connect.WillPublishPacket;
import io.hereabouts.bridge.subscription.HiddenTopics;
import java.util.Optional;

/**
 * A will that a CONNECT is refused for. A will never passes the inbound interceptor, nor HiveMQ's rule on topics that
 * begin with {@code $}: what it says is handed out as it is.
 *
 * @param counted tag of the counter
 */
record RefusedWill(String counted, ConnackReasonCode code, String reason) {

    /** @param entityProperty the user property that names an entity */
    static Optional<RefusedWill> of(WillPublishPacket will, String entityProperty) {
        if (will.getUserProperties().getFirst(entityProperty).isPresent()) {
            return Optional.of(new RefusedWill(
                    "will_with_entity",
                    ConnackReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
                    "will with user property '" + entityProperty + "': a will cannot be about an entity"));
        }
        if (will.getTopic().startsWith(HiddenTopics.ROOT)) {
            return Optional.of(new RefusedWill(
                    "will_on_hidden_topic",
                    ConnackReasonCode.TOPIC_NAME_INVALID,
                    "will on " + will.getTopic() + ": topics below " + HiddenTopics.ROOT + " are the edge's own"));
        }
        return Optional.empty();
    }
}
