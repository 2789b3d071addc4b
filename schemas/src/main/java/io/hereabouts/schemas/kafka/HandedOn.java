package io.hereabouts.schemas.kafka;

import io.hereabouts.model.interest.Interest;
import io.hereabouts.schemas.record.UndecodableException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The header of a publication that an edge hands on: it was routed to a member of a group, and the edge has none, or none
 * that is connected. A record of {@code publications} with this header is for another member of that group and for nobody
 * else; what the router makes of it has the header, too.
 *
 * @param tried the group's interest of the edge that hands on
 * @param times how often it was handed on, this time included, 1 to 127
 */
public record HandedOn(Interest tried, int times) {

    /** Name of the header. */
    public static final String HEADER = "handed-on";

    /** How often a publication is handed on: whoever has it then is the last. */
    public static final int MOST = 16;

    public HandedOn {
        if (!tried.isShared() || times < 1 || times > Byte.MAX_VALUE) {
            throw new IllegalArgumentException("handed on " + times + " times: " + tried);
        }
    }

    /** True if the record has the header. */
    public static boolean isIn(Headers headers) {
        return headers.lastHeader(HEADER) != null;
    }

    /** How often the record was handed on; 0 without the header. */
    public static int timesIn(Headers headers) {
        Header header = headers.lastHeader(HEADER);
        return header == null || header.value() == null || header.value().length == 0 ? 0 : header.value()[0];
    }

    /**
     * Reads the header.
     *
     * @return empty if there is none
     * @throws UndecodableException if it is not one that {@link #bytes} makes
     */
    public static Optional<HandedOn> in(Headers headers) throws UndecodableException {
        Header header = headers.lastHeader(HEADER);
        if (header == null) {
            return Optional.empty();
        }
        byte[] value = header.value();
        if (value == null || value.length < 2) {
            throw new UndecodableException("header " + HEADER + " has no value");
        }
        try {
            return Optional.of(new HandedOn(Keys.parseInterest(Arrays.copyOfRange(value, 1, value.length)), value[0]));
        } catch (IllegalArgumentException e) {
            throw new UndecodableException("header " + HEADER + ": " + e.getMessage());
        }
    }

    /** The header's value: how often, 1 byte; then the interest as its key in {@code interests}. */
    public byte[] bytes() {
        byte[] key = Keys.interest(tried);
        byte[] bytes = new byte[1 + key.length];
        bytes[0] = (byte) times;
        System.arraycopy(key, 0, bytes, 1, key.length);
        return bytes;
    }
}
