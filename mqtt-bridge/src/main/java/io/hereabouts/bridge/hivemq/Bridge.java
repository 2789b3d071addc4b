package io.hereabouts.bridge.hivemq;

import com.hivemq.extension.sdk.api.packets.general.ModifiableUserProperties;
import io.hereabouts.bridge.access.Access;
import io.hereabouts.bridge.access.Audit;
import io.hereabouts.bridge.access.Places;
import io.hereabouts.bridge.kafka.PublicationWriter;
import io.hereabouts.bridge.kafka.RetainedWriter;
import io.hereabouts.bridge.loop.EdgeLoop;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.bridge.loop.EdgeState;
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
 * @param kafkaDown whether Kafka is known not to answer
 */
public record Bridge(
        EdgeId edge,
        UserPropertyNames names,
        DescriptorParser descriptors,
        PublishRules rules,
        PublicationWriter writer,
        RetainedWriter retained,
        BooleanSupplier kafkaDown,
        EdgeLoop loop,
        EdgeState state,
        EdgeMetrics metrics,
        Clock clock,
        Duration publishTimeout,
        Duration subscribeTimeout,
        Audit audit,
        Optional<Access> access,
        Places places) {

    /** Removes and counts the user properties that only the edge may set. */
    void strip(ModifiableUserProperties properties) {
        int stripped = 0;
        for (String reserved : List.of(names.neighborhoodId(), names.publicationId(), DeliveryNote.PROPERTY)) {
            stripped += properties.removeName(reserved).size();
        }
        if (stripped > 0) {
            metrics.stripped(stripped);
        }
    }
}
