package io.hereabouts.testkit.postgis;

/** There is no PostGIS to be had; the message says why. */
public final class PostgisMissingException extends Exception {

    private static final long serialVersionUID = 1L;

    PostgisMissingException(String message) {
        super(message);
    }
}
