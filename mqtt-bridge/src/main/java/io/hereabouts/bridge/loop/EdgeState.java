package io.hereabouts.bridge.loop;

import io.hereabouts.bridge.delivery.ClientDeliveries;
import io.hereabouts.bridge.delivery.Copy;
import io.hereabouts.bridge.delivery.Expansion;
import io.hereabouts.bridge.delivery.Expiry;
import io.hereabouts.bridge.delivery.Outgoing;
import io.hereabouts.bridge.delivery.SeenDeliveries;
import io.hereabouts.bridge.kafka.HandingOn;
import io.hereabouts.bridge.retained.RetainedDeliveries;
import io.hereabouts.bridge.status.Status;
import io.hereabouts.bridge.status.StatusBoard;
import io.hereabouts.bridge.subscription.Subscribing;
import io.hereabouts.bridge.subscription.Subscription;
import io.hereabouts.bridge.subscription.Subscriptions;
import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import io.hereabouts.schemas.avro.Applied;
import io.hereabouts.schemas.avro.Delivery;
import io.hereabouts.schemas.avro.FilterPosition;
import io.hereabouts.schemas.avro.NeighborhoodStatus;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Resolved;
import io.hereabouts.schemas.kafka.SourcePosition;
import io.hereabouts.schemas.record.Framing;
import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an edge knows: its subscriptions, its clients' deliveries, which connection of a client is the current one. All
 * methods must be called on the edge's thread, but where they say otherwise.
 */
public final class EdgeState {

    private static final Logger LOG = LoggerFactory.getLogger(EdgeState.class);
    private static final int OVERHEAD_BYTES = 256;

    /** How much there is of everything; taken on the edge's thread, for any thread to read. */
    public record Figures(int subscriptions, int interests, int waitingInterests, long pendingBytes, long inFlight) {}

    private final Subscriptions subscriptions;
    private final ClientDeliveries deliveries;
    private final StatusBoard statuses;
    private final DeliveryOutput output;
    private final RetainedDeliveries retained;
    private final EdgeMetrics metrics;
    private final Sharing sharing;
    private final SeenDeliveries seen = new SeenDeliveries();
    private final Map<String, Long> connections = new HashMap<>();
    private volatile Figures figures = new Figures(0, 0, 0, 0, 0);

    /**
     * @param restoredAt when sessions of an earlier run were taken back, milliseconds since 1970; 0 if there are none
     * @param handingOn bring on publications that another edge is to deliver
     */
    public EdgeState(
            EdgeId edge,
            long restoredAt,
            Subscriptions subscriptions,
            ClientDeliveries deliveries,
            StatusBoard statuses,
            RetainedDeliveries retained,
            DeliveryOutput output,
            HandingOn handingOn,
            EdgeMetrics metrics) {
        this.output = output;
        this.sharing =
                new Sharing(edge, restoredAt, subscriptions, deliveries, this::isConnected, handingOn, output, metrics);
        output.leavesTo(sharing);
        this.subscriptions = subscriptions;
        this.deliveries = deliveries;
        this.statuses = statuses;
        this.retained = retained;
        this.metrics = metrics;
    }

    /** Takes the figures anew, and forgets what nobody asks for any more. */
    public void measure() {
        statuses.retain(subscriptions.neighborhoods());
        retained.measure(subscriptions.neighborhoods());
        figures = new Figures(
                subscriptions.table().size(),
                subscriptions.interestCount(),
                subscriptions.waitingInterests(),
                deliveries.waitingBytes(),
                deliveries.inFlight());
    }

    /** The figures as they were last taken. May be called from any thread. */
    public Figures figures() {
        return figures;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    public ClientDeliveries deliveries() {
        return deliveries;
    }

    public StatusBoard statuses() {
        return statuses;
    }

    /** The deliveries that it has had; any thread may ask. */
    public SeenDeliveries seen() {
        return seen;
    }

    public RetainedDeliveries retained() {
        return retained;
    }

    /** The broker has stored the subscription and is about to send the SUBACK. */
    public void commit(Subscribing subscribing) {
        Subscription wanted = subscribing.wanted();
        Subscription before = subscriptions.table().get(wanted.key());
        if (subscriptions.commit(subscribing)) {
            statuses.subscribed(wanted);
            if (!wanted.isShared()) {
                // a group is sent nothing that is retained (MQTT 5.0 §3.3.1.3)
                retained.subscribed(wanted, before);
            }
        }
    }

    /** The broker has stored a plain subscription and is about to send the SUBACK. */
    public void addPlain(Subscription plain, long now) {
        Subscription before = subscriptions.table().get(plain.key());
        subscriptions.addPlain(plain, now);
        retained.subscribed(plain, before);
    }

    /**
     * A client has connected.
     *
     * @param connection unique for each connection
     * @param newSession whether an older session of the client has ended with it
     * @param maxPacketBytes the largest packet that the client takes
     */
    public void connected(String client, long connection, boolean newSession, long maxPacketBytes, long now) {
        Long before = connections.put(client, connection);
        if (before != null) {
            subscriptions.abortAllOf(client);
            deliveries.disconnected(client);
        }
        if (newSession) {
            sessionEnded(client, now);
        }
        deliveries.connected(client, maxPacketBytes, now);
    }

    /**
     * A connection has ended.
     *
     * @param sessionToo whether the session has ended with it
     */
    public void disconnected(String client, long connection, boolean sessionToo, long now) {
        if (!connections.remove(client, connection)) {
            return;
        }
        subscriptions.abortAllOf(client);
        deliveries.disconnected(client);
        if (sessionToo) {
            sessionEnded(client, now);
        }
    }

    /** The client's session is no more. */
    public void sessionEnded(String client, long now) {
        subscriptions.clientGone(client);
        deliveries.sessionEnded(client, now);
        statuses.sessionEnded(client);
    }

    /** True if a connection of the client is open. */
    public boolean isConnected(String client) {
        return connections.containsKey(client);
    }

    /** What an earlier run of this edge had seen when it last said so. Before anything is received. */
    public void remember(String marks) {
        seen.remember(marks);
    }

    /** Records of the edge's Kafka topic, in order. Called on their reader's thread, which waits until they are dealt with. */
    public Taken received(Executor loop, List<Received> records, Clock clock) {
        return CompletableFuture.supplyAsync(
                        () -> {
                            records.forEach(record -> received(record, clock.millis()));
                            appliedMoved();
                            return new Taken(output.taken(), seen.marks());
                        },
                        loop)
                .join();
    }

    private void appliedMoved() {
        try {
            subscriptions.appliedMoved();
        } catch (RuntimeException e) {
            metrics.ignored("bug");
            LOG.error("bug in the edge, it goes on", e);
        }
    }

    private void received(Received received, long now) {
        try {
            SpecificRecord record = Framing.decode(received.value());
            if (record instanceof Delivery delivery) {
                deliver(new String(received.key(), StandardCharsets.UTF_8), delivery, received, now);
            } else if (record instanceof Applied applied) {
                applied(applied);
            } else if (record instanceof Resolved resolved) {
                resolved(resolved);
            } else if (record instanceof NeighborhoodStatus changed) {
                changed(changed);
            } else {
                throw new UndecodableException(
                        "nothing for an edge: " + record.getSchema().getName());
            }
        } catch (UndecodableException e) {
            metrics.ignored("undecodable");
            LOG.warn("record left out: {}", e.getMessage());
        } catch (RuntimeException e) {
            metrics.ignored("bug");
            LOG.error("bug in the edge, record left out", e);
        }
    }

    private void applied(Applied applied) {
        if (!subscriptions
                .applied()
                .applied(applied.getGeneration(), applied.getPartition(), applied.getOwner(), applied.getOffset())) {
            metrics.ignored("deposed_owner");
        }
    }

    private void changed(NeighborhoodStatus changed) throws UndecodableException {
        try {
            statuses.changed(new Status(
                    NeighborhoodId.of(changed.getNeighborhood()),
                    changed.getEntityCount(),
                    changed.getWorldVersion(),
                    changed.getMissing(),
                    changed.getFailure()));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("status: " + e.getMessage());
        }
    }

    private void resolved(Resolved resolved) {
        NeighborhoodId neighborhood = subscriptions.requested(resolved.getRequestId());
        if (neighborhood != null && resolved.getReasonCode() == 0) {
            statuses.resolved(
                    new Status(neighborhood, resolved.getEntityCount(), resolved.getWorldVersion(), List.of(), ""));
        }
        Map<Integer, Long> positions = new HashMap<>();
        for (FilterPosition position : resolved.getPositions()) {
            positions.merge(position.getPartition(), position.getOffset(), Math::max);
        }
        subscriptions.resolved(
                resolved.getRequestId(),
                resolved.getGeneration(),
                resolved.getReasonCode(),
                resolved.getReasonString(),
                positions);
    }

    private void deliver(String entity, Delivery delivery, Received received, long now) throws UndecodableException {
        if (!subscriptions.applied().accept(delivery.getGeneration(), delivery.getPartition(), delivery.getOwner())) {
            metrics.ignored("deposed_owner");
            return;
        }
        if (!seen.isNew(delivery.getGeneration(), delivery.getPartition(), delivery.getOffset())) {
            metrics.repeated();
            return;
        }
        ByteBuffer framed = delivery.getPublication();
        byte[] bytes = new byte[framed.remaining()];
        framed.duplicate().get(bytes);
        Publication publication = Framing.decode(bytes, Publication.class);
        if (received.handedOn() == 0) {
            retained.live(
                    entity,
                    publication,
                    new SourcePosition(delivery.getGeneration(), delivery.getOffset()),
                    delivery.getHandles());
        }
        List<Long> here = sharing.handOn(delivery.getHandles(), entity, publication, bytes, received.handedOn(), now);
        String publisher = publication.getEdge().isEmpty() ? "" : publication.getPublisher();
        List<Copy> copies = Expansion.expand(
                subscriptions.table(),
                new Expansion.Matched(here, entity, publication.getTopic(), publication.getQos(), publisher),
                this::isConnected);
        if (copies.isEmpty() && here.size() == delivery.getHandles().size()) {
            metrics.ignored("no_subscription");
        }
        long expiresAt = Expiry.of(publication, received.appendedAt());
        for (Copy copy : copies) {
            deliveries.offer(
                    new Outgoing(
                            copy,
                            entity,
                            publication,
                            expiresAt,
                            bytes.length + OVERHEAD_BYTES,
                            /* retained= */ false,
                            received.handedOn()),
                    now);
        }
    }

    /** What is known of the client; empty if it is not connected and has nothing subscribed. */
    public Optional<ClientReport> report(String client) {
        List<Subscription> subscribed = subscriptions.table().ofClient(client);
        if (subscribed.isEmpty() && !isConnected(client)) {
            return Optional.empty();
        }
        return Optional.of(new ClientReport(
                client,
                isConnected(client),
                subscribed,
                deliveries.backlog(client),
                output.drops().of(client)));
    }

    /** Who is subscribed but not connected. */
    public List<String> offlineSubscribers() {
        return subscriptions.table().clients().stream()
                .filter(c -> !connections.containsKey(c))
                .toList();
    }

    /** Members of groups get nothing from now on: what comes for them is handed on. Returns how many there were. */
    public int leaveGroups() {
        return subscriptions.leaveGroups().size();
    }

    /** Hands on what Kafka had no room for. */
    public void handOnAgain() {
        sharing.tick();
    }

    /** When something was last handed on, milliseconds since 1970; 0 for never. */
    public long handedOnAt() {
        return sharing.handedOnAt();
    }

    /** The client's subscriptions on a topic filter: those with one of the ids, or all if there are none. */
    public List<Subscription> onFilter(String client, String topicFilter, List<String> ids) {
        return subscriptions.table().ofClient(client).stream()
                .filter(s -> s.filter().text().equals(topicFilter))
                .filter(s -> ids.isEmpty() || ids.contains(s.id()))
                .toList();
    }
}
