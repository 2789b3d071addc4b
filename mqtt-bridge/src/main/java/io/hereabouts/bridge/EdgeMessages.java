package io.hereabouts.bridge;

import io.hereabouts.bridge.kafka.DeliveryReader;
import io.hereabouts.bridge.loop.CarriedMessages;
import io.hereabouts.bridge.loop.DeliveryOutput;
import io.hereabouts.bridge.loop.EdgeMetrics;
import io.hereabouts.schemas.kafka.TopicCatalogue;
import java.time.Clock;

/** How messages without entity come to an edge from the others. No state. */
final class EdgeMessages {

    private EdgeMessages() {}

    /** Reads them, from where an earlier run came to if sessions are kept; once there is a broker. */
    static DeliveryReader follow(
            EdgeConfig config, String name, DeliveryOutput output, EdgeMetrics metrics, Clock clock) {
        TopicCatalogue topics = config.topics();
        CarriedMessages messages = new CarriedMessages(config.edge(), config.carried(), output, metrics, clock);
        DeliveryReader reader = DeliveryReader.open(
                config.kafka(),
                name + "-messages",
                topics.messages(),
                config.keepsSessions() ? DeliveryReader.Start.CONTINUE : DeliveryReader.Start.END,
                topics.messagesGroup(config.edge()),
                marks -> {},
                messages::received,
                gap -> metrics.dropped("retention", 1),
                () -> metrics.ignored("failed_batch"));
        reader.begin();
        return reader;
    }
}
