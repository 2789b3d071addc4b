package io.hereabouts.bridge.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries of one client at one QoS: at most {@code window} are with the broker, in order; the rest waits here, bounded
 * in bytes. The broker says that it took a message even if its own queue then drops it, so what it has is only
 * forgotten when the client acknowledged it, or when a later one was written: what the broker passed over, it dropped.
 * Owned by one thread.
 *
 * @param <M> a message
 */
public final class DeliveryWindow<M> {

    /** What became of a message. */
    public enum Offered {
        SEND,
        WAITS,
        DROPPED
    }

    private static final class Flight<M> {
        final M message;
        final long bytes;
        boolean written;

        Flight(M message, long bytes) {
            this.message = message;
            this.bytes = bytes;
        }
    }

    private record Waiting<M>(M message, long bytes) {}

    /**
     * What it means that the broker has written a message.
     *
     * @param message that was written; null if that is not news
     * @param passedOver earlier messages that it never wrote: its queue dropped them
     */
    public record Written<M>(@Nullable M message, List<M> passedOver) {}

    /** A message that may be handed to the broker now, under this token. */
    public record Ready<M>(long token, M message) {}

    private final int window;
    private final long maxInFlightBytes;
    private final long maxWaitingBytes;
    private final Map<Long, Flight<M>> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<Waiting<M>> waiting = new ArrayDeque<>();
    private long inFlightBytes;
    private long waitingBytes;
    private final UnaryOperator<M> noted;
    private boolean oneBeyond;
    private long lastToken;

    private DeliveryWindow(
            int window, long maxInFlightBytes, long maxWaitingBytes, long lastToken, UnaryOperator<M> noted) {
        this.noted = noted;
        this.window = window;
        this.maxInFlightBytes = maxInFlightBytes;
        this.maxWaitingBytes = maxWaitingBytes;
        this.lastToken = lastToken;
    }

    /**
     * What the window has no room for waits here.
     *
     * @param window how many may be with the broker, at least 1
     * @param maxBytes how many bytes may wait
     * @param lastToken tokens grow from here
     */
    public static <M> DeliveryWindow<M> waitingHere(int window, long maxBytes, long lastToken) {
        return new DeliveryWindow<>(window, Long.MAX_VALUE, maxBytes, lastToken, UnaryOperator.identity());
    }

    /**
     * All that waits is with the broker; nothing waits here, where it would be lost with the process.
     *
     * @param window how many may be with the broker, at least 1
     * @param maxBytes how many bytes may be with the broker
     * @param lastToken tokens grow from here
     * @param noted what is remembered of a message that the broker has
     */
    public static <M> DeliveryWindow<M> waitingThere(
            int window, long maxBytes, long lastToken, UnaryOperator<M> noted) {
        return new DeliveryWindow<>(window, maxBytes, 0, lastToken, noted);
    }

    /** A new message. If the answer is {@link Offered#SEND}, {@link #takeReady} has it. */
    public Offered offer(M message, long bytes) {
        boolean room = inFlight.size() < window && (inFlight.isEmpty() || inFlightBytes + bytes <= maxInFlightBytes);
        boolean free = waiting.isEmpty() && (room || oneBeyond);
        if (!free && waitingBytes + bytes > maxWaitingBytes) {
            return Offered.DROPPED;
        }
        waiting.add(new Waiting<>(message, bytes));
        waitingBytes += bytes;
        return free ? Offered.SEND : Offered.WAITS;
    }

    /** What may be handed to the broker now, in order. */
    public List<Ready<M>> takeReady() {
        return take(oneBeyond ? Math.max(window, inFlight.size() + 1) : window);
    }

    /**
     * One more than the window allows, if one waits; else the next that is offered. When the broker has dropped all that
     * it had, nothing would ever be written or acknowledged again; the extra message shows whether it has.
     */
    public List<Ready<M>> takeOneBeyond() {
        oneBeyond = waiting.isEmpty() && !inFlight.isEmpty();
        return take(Math.max(window, inFlight.size()) + 1);
    }

    private List<Ready<M>> take(int limit) {
        List<Ready<M>> ready = new ArrayList<>(1);
        while (inFlight.size() < limit) {
            Waiting<M> next = waiting.poll();
            if (next == null) {
                break;
            }
            waitingBytes -= next.bytes();
            long token = ++lastToken;
            inFlight.put(token, new Flight<>(noted.apply(next.message()), next.bytes()));
            inFlightBytes += next.bytes();
            oneBeyond = false;
            ready.add(new Ready<>(token, next.message()));
        }
        return ready;
    }

    /** The broker has written the message to the client. */
    public Written<M> written(long token) {
        Flight<M> flight = inFlight.get(token);
        if (flight == null || flight.written) {
            return new Written<>(null, List.of());
        }
        flight.written = true;
        List<M> passedOver = new ArrayList<>(0);
        Iterator<Map.Entry<Long, Flight<M>>> flights = inFlight.entrySet().iterator();
        while (flights.hasNext()) {
            Map.Entry<Long, Flight<M>> earlier = flights.next();
            if (earlier.getKey() >= token) {
                break;
            }
            if (!earlier.getValue().written) {
                flights.remove();
                inFlightBytes -= earlier.getValue().bytes;
                passedOver.add(earlier.getValue().message);
            }
        }
        return new Written<>(flight.message, passedOver);
    }

    /** The message is done with: acknowledged, or not taken by the broker. Null if it was so before. */
    public @Nullable M done(long token) {
        Flight<M> flight = inFlight.remove(token);
        if (flight == null) {
            return null;
        }
        inFlightBytes -= flight.bytes;
        return flight.message;
    }

    /**
     * Something that is forgotten.
     *
     * @param written whether the broker has written it to the client
     */
    public record Forgotten<M>(M message, boolean written) {}

    /** Forgets everything; returns what there was, in order. */
    public List<Forgotten<M>> clear() {
        List<Forgotten<M>> all = new ArrayList<>(inFlight.size() + waiting.size());
        inFlight.values().forEach(flight -> all.add(new Forgotten<>(flight.message, flight.written)));
        waiting.forEach(each -> all.add(new Forgotten<>(each.message(), false)));
        inFlight.clear();
        inFlightBytes = 0;
        waiting.clear();
        waitingBytes = 0;
        return all;
    }

    /** How many are with the broker. */
    public int inFlight() {
        return inFlight.size();
    }

    /** How many wait. */
    public int waiting() {
        return waiting.size();
    }

    /** Bytes that are with the broker. */
    public long inFlightBytes() {
        return inFlightBytes;
    }

    /** Bytes that wait. */
    public long waitingBytes() {
        return waitingBytes;
    }
}
