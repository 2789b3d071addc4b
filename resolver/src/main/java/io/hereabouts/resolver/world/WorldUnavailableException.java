package io.hereabouts.resolver.world;

/** The world cannot be asked or changed now, whatever the question: its database is down, starting or unreachable. */
public final class WorldUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    public WorldUnavailableException(String message) {
        super(message);
    }

    public WorldUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
