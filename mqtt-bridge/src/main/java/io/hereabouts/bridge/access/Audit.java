package io.hereabouts.bridge.access;

import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each denial, to the logger {@code hereabouts.audit}. At most {@value #A_SECOND} a second: who floods the
 * edge must not fill the disk; how many were left out is said. What clients chose is quoted, shortened and free of line
 * ends. Thread-safe.
 */
public final class Audit {

    /** Where the lines go. */
    public static final String LOGGER = "hereabouts.audit";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final int A_SECOND = 50;
    private static final int MAX_CHARACTERS = 120;

    private final InstantSource clock;
    private long second;
    private int lines;
    private long leftOut;

    public Audit(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Somebody was denied something.
     *
     * @param packet that asked for it
     * @param reason tag of the counter
     * @param detail what exactly, as far as it helps an operator
     */
    public void denied(String packet, String client, String user, String address, String reason, String detail) {
        long left = mayWrite();
        if (left < 0) {
            return;
        }
        if (left > 0) {
            LOG.warn("{} denials were left out", left);
        }
        LOG.warn(
                "denied {} reason={} client={} user={} address={} detail={}",
                packet,
                reason,
                quoted(client),
                quoted(user),
                address,
                quoted(detail));
    }

    /** How many lines were left out before this one; -1 if this one is. */
    private synchronized long mayWrite() {
        long now = clock.millis() / 1_000;
        if (now != second) {
            second = now;
            lines = 0;
        }
        if (lines >= A_SECOND) {
            leftOut++;
            return -1;
        }
        lines++;
        long before = leftOut;
        leftOut = 0;
        return before;
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().limit(MAX_CHARACTERS).forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || Character.isSurrogate((char) c)) {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append(text.length() > MAX_CHARACTERS ? "\"…" : "\"").toString();
    }
}
