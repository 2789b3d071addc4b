package io.hereabouts.model.topic;

/** What topic names and topic filters have in common. */
final class TopicSyntax {

    private static final int MAX_BYTES = 65_535;

    private TopicSyntax() {}

    static void check(String value, String what) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + " is empty");
        }
        int bytes = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == 0) {
                throw new IllegalArgumentException(what + " has U+0000 at index " + i);
            }
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else if (Character.isSurrogate(c)) {
                throw new IllegalArgumentException(what + " has an unpaired surrogate at index " + i);
            } else {
                bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        if (bytes > MAX_BYTES) {
            throw new IllegalArgumentException(what + " has " + bytes + " bytes, the limit is " + MAX_BYTES);
        }
    }
}
