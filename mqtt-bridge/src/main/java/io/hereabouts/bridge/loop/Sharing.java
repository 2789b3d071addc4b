package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Copy;
import io.hereabouts.bridge.delivery.Expansion;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.kafka.HandingOn;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.interest.Group;
import io.hereabouts.model.interest.Interest;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.kafka.HandedOn;
import io.hereabouts.schemas.record.Framing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What becomes of publications for groups whose members here do not get them. The router has chosen this edge before it
 * knew that its last member left, or while all are away: then the publication is handed on, through Kafka, to another edge
 * of the group, if it has one. What a member had not acknowledged when its session ended goes to another one here, or is
 * handed on. Owned by the edge's thread.
 */
public final class Sharing {

    /** No other member, anywhere. */
    private static final String GROUP_GONE = "group_gone";

    /** Clients come back to an edge that was restarted: so long what waits for them is not handed on. */
    private static final long RETURN_MILLIS = 30_000;

    /** Kafka did not take it. */
    private static final String NOT_HANDED_ON = "not_handed_on";

    private final EdgeId edge;
    private final Subscriptions subscriptions;
    private final ClientDeliveries deliveries;
    private final Predicate<String> connected;
    private final HandingOn handingOn;
    private final DeliveryOutput output;
    private final EdgeMetrics metrics;
    private final long restoredAt;
    private long handedOnAt;

    /** @param restoredAt when sessions of an earlier run were taken back, milliseconds since 1970; 0 if there are none */
    Sharing(
            EdgeId edge,
            long restoredAt,
            Subscriptions subscriptions,
            ClientDeliveries deliveries,
            Predicate<String> connected,
            HandingOn handingOn,
            DeliveryOutput output,
            EdgeMetrics metrics) {
        this.edge = edge;
        this.restoredAt = restoredAt;
        this.subscriptions = subscriptions;
        this.deliveries = deliveries;
        this.connected = connected;
        this.handingOn = handingOn;
        this.output = output;
        this.metrics = metrics;
    }

    /**
     * Hands on what is for groups without members here, and once what is for groups of whom nobody here is connected.
     *
     * @param handedOn how often it was handed on before
     * @return the handles that are served here
     */
    List<Long> handOn(
            List<Long> handles, String entity, Publication publication, byte[] framed, int handedOn, long now) {
        if (subscriptions.groups().isEmpty()) {
            return handles;
        }
        List<Long> here = new ArrayList<>(handles.size());
        for (long handle : handles) {
            Group group = subscriptions.groups().get(handle);
            if (group == null || isServedHere(handle, publication.getTopic(), handedOn, now)) {
                here.add(handle);
            } else {
                handOn(group, entity, framed, publication.getQos(), handedOn, GROUP_GONE, now);
            }
        }
        return here;
    }

    private boolean isServedHere(long handle, String topic, int handedOn, long now) {
        boolean stays = handedOn > 0 || now - restoredAt < RETURN_MILLIS;
        return stays ? subscriptions.table().hasAny(handle) : isAwake(handle, topic);
    }

    private boolean isAwake(long handle, String topic) {
        boolean[] any = new boolean[1];
        subscriptions.table().forEachMatching(handle, topic, member -> any[0] |= connected.test(member.client()));
        return any[0];
    }

    /** A member did not get its copy: it is for another one. */
    void left(Outgoing message, String reason, long now) {
        Group group = message.copy().via().group();
        Publication publication = message.publication();
        if (reason.equals(ClientDeliveries.SESSION_ENDED) && isAwake(group.handle(), publication.getTopic())) {
            for (Copy copy : Expansion.expand(
                    subscriptions.table(),
                    new Expansion.Matched(
                            List.of(group.handle()),
                            message.entity(),
                            publication.getTopic(),
                            publication.getQos(),
                            ""),
                    connected)) {
                metrics.handedOn("member");
                deliveries.offer(message.to(copy), now);
            }
            return;
        }
        handOn(
                group,
                message.entity(),
                Framing.encode(publication),
                message.copy().qos(),
                message.handedOn(),
                reason,
                now);
    }

    private void handOn(Group group, String entity, byte[] framed, int qos, int before, String otherwise, long now) {
        handedOnAt = now;
        if (before >= HandedOn.MOST) {
            metrics.dropped(otherwise, qos);
            return;
        }
        Interest tried = new Interest(
                group.neighborhood(),
                group.filter().topicFilter(),
                group.filter().share(),
                edge);
        metrics.handedOn("edge");
        output.alsoTakes(handingOn
                .on(qos, EntityId.of(entity), framed, new HandedOn(tried, before + 1))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        metrics.dropped(NOT_HANDED_ON, qos);
                    }
                }));
    }

    /** Tries again what Kafka had no room for. */
    void tick() {
        handingOn.tick();
    }

    /** When something was last handed on; milliseconds since 1970. */
    long handedOnAt() {
        return handedOnAt;
    }
}
