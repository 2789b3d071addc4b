package io.hereabouts.schemas.record;

/** Bytes from Kafka that are not what they should be; the message says what was expected and found. */
public final class UndecodableException extends Exception {

    private static final long serialVersionUID = 1L;

    public UndecodableException(String message) {
        super(message);
    }
}
