package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.ClientDeliveries.Backlog;
import io.hereabouts.bridge.delivery.LastDrops;
import io.hereabouts.bridge.subscription.Subscription;
import java.util.List;
import java.util.Optional;

/**
 * What an edge knows of a client.
 *
 * @param subscriptions that are active
 * @param lastDrop what was given up for it last, by this run of the edge
 */
public record ClientReport(
        String client,
        boolean connected,
        List<Subscription> subscriptions,
        Backlog backlog,
        Optional<LastDrops.Drop> lastDrop) {}
