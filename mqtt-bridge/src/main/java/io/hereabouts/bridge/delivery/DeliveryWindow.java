package io.hereabouts.bridge.delivery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        boolean written;

        Flight(M message) {
            this.message = message;
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
    private final long maxBytes;
    private final Map<Long, Flight<M>> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<Waiting<M>> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long lastToken;

    /**
     * @param window how many may be with the broker, at least 1
     * @param maxBytes how many bytes may wait
     */
    public DeliveryWindow(int window, long maxBytes) {
        this.window = window;
        this.maxBytes = maxBytes;
    }

    /** A new message. If the answer is {@link Offered#SEND}, {@link #takeReady} has it. */
    public Offered offer(M message, long bytes) {
        boolean free = waiting.isEmpty() && inFlight.size() < window;
        if (!free && waitingBytes + bytes > maxBytes) {
            return Offered.DROPPED;
        }
        waiting.add(new Waiting<>(message, bytes));
        waitingBytes += bytes;
        return free ? Offered.SEND : Offered.WAITS;
    }

    /** What may be handed to the broker now, in order. */
    public List<Ready<M>> takeReady() {
        return take(window);
    }

    /**
     * One more than the window allows, if one waits. When the broker has dropped all that it had, nothing would ever be
     * written or acknowledged again; the extra message shows whether it has.
     */
    public List<Ready<M>> takeOneBeyond() {
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
            inFlight.put(token, new Flight<>(next.message()));
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
                passedOver.add(earlier.getValue().message);
            }
        }
        return new Written<>(flight.message, passedOver);
    }

    /** The message is done with: acknowledged, or not taken by the broker. Null if it was so before. */
    public @Nullable M done(long token) {
        Flight<M> flight = inFlight.remove(token);
        return flight == null ? null : flight.message;
    }

    /** Forgets everything; returns what there was. */
    public List<M> clear() {
        List<M> all = new ArrayList<>(inFlight.size() + waiting.size());
        inFlight.values().forEach(flight -> all.add(flight.message));
        waiting.forEach(each -> all.add(each.message()));
        inFlight.clear();
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

    /** Bytes that wait. */
    public long waitingBytes() {
        return waitingBytes;
    }
}
