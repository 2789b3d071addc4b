package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.general.ModifiableUserProperties;
import com.hivemq.extension.sdk.api.packets.general.UserProperties;
import com.hivemq.extension.sdk.api.packets.general.UserProperty;
import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.access.Audit;
import io.hereabouts.bridge.access.Places;
import io.hereabouts.bridge.kafka.MessageWriter;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.kafka.RetainedWriter;
import io.hereabouts.bridge.loop.ClientRecords;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.loop.EdgeState;
import io.hereabouts.bridge.loop.SessionComparison;
import io.hereabouts.bridge.publish.CarriedTopics;
import io.hereabouts.bridge.publish.PublishRules;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.descriptor.DescriptorParser;
import io.hereabouts.schemas.mqtt.UserPropertyNames;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the interceptors work with.
 *
 * @param state to be touched on the loop only
 * @param access who may do what; empty: everybody may do everything
 * @param places what the edge knows of entities
 * @param carried the topics of messages without entity that go to {@code messages}, too
 * @param comparison of what the broker has of an earlier run with what the edge has
 * @param kafkaDown whether Kafka is known not to answer
 * @param clients to be touched on the loop only
 * @param inPipeline whether deliveries leave through HiveMQ's own pipeline if they can
 */
public record Bridge(
        EdgeId edge,
        UserPropertyNames names,
        DescriptorParser descriptors,
        PublishRules rules,
        PublicationWriter writer,
        RetainedWriter retained,
        CarriedTopics carried,
        MessageWriter messages,
        BooleanSupplier kafkaDown,
        EdgeLoop loop,
        EdgeState state,
        EdgeMetrics metrics,
        Clock clock,
        Duration publishTimeout,
        Duration subscribeTimeout,
        Audit audit,
        Optional<Access> access,
        Places places,
        ClientRecords clients,
        SessionComparison comparison,
        boolean inPipeline) {

    private List<String> reserved() {
        return List.of(names.neighborhoodId(), names.publicationId(), DeliveryNote.PROPERTY);
    }

    /** The user properties without those that only the edge may set, which are counted. */
    List<UserProperty> unreserved(UserProperties properties) {
        List<UserProperty> left = properties.asList().stream()
                .filter(p -> !reserved().contains(p.getName()))
                .toList();
        if (left.size() < properties.asList().size()) {
            metrics.stripped(properties.asList().size() - left.size());
        }
        return left;
    }

    /** Removes and counts the user properties that only the edge may set. */
    void strip(ModifiableUserProperties properties) {
        int stripped = 0;
        for (String reserved : reserved()) {
            stripped += properties.removeName(reserved).size();
        }
        if (stripped > 0) {
            metrics.stripped(stripped);
        }
    }
}
