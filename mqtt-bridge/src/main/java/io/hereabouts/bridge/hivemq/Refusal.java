package io.hereabouts.bridge.hivemq;

/** A PUBLISH that can only be refused by a DISCONNECT, on its way to where the acknowledgement is held. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String text;

    Refusal(int code, String text) {
        super(text, null, false, false);
        this.code = code;
        this.text = text;
    }

    int code() {
        return code;
    }

    String text() {
        return text;
    }
}
