package io.hereabouts.model.entity;

/** Java text that UTF-8 cannot carry: a surrogate without its other half comes out as another character. No state. */
public final class Utf16 {

    private Utf16() {}

    /** The index of the first surrogate without its other half, or -1. */
    public static int unpairedSurrogate(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
