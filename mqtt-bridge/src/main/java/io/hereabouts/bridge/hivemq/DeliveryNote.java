package io.hereabouts.bridge.hivemq;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What travels with a message through the broker's queue, from where it is handed over to where it is written: as a
 * user property that no client ever sees.
 *
 * @param token of the delivery window
 * @param subscriptionIdentifiers to be set on the PUBLISH
 * @param retain to be set on the PUBLISH
 */
record DeliveryNote(long token, List<Integer> subscriptionIdentifiers, boolean retain) {

    private static final char RETAIN = 'r';

    /** The name of the user property; stripped from all that clients send. */
    static final String PROPERTY = "$hereabouts";

    String text() {
        return (retain ? RETAIN : "")
                + (token + ";")
                + subscriptionIdentifiers.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    static Optional<DeliveryNote> parse(String text) {
        int semicolon = text.indexOf(';');
        if (semicolon < 1) {
            return Optional.empty();
        }
        try {
            boolean retain = text.charAt(0) == RETAIN;
            long token = Long.parseLong(text, retain ? 1 : 0, semicolon, 10);
            List<Integer> identifiers = new ArrayList<>(2);
            int at = semicolon + 1;
            while (at < text.length()) {
                int comma = text.indexOf(',', at);
                int end = comma < 0 ? text.length() : comma;
                identifiers.add(Integer.parseInt(text, at, end, 10));
                at = end + 1;
            }
            return Optional.of(new DeliveryNote(token, identifiers, retain));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
