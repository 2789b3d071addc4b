package io.hereabouts.resolver.importing;

import java.io.IOException;

/** What is to be read cannot be reached now: nothing is wrong with it as far as known. */
public final class SourceUnavailableException extends IOException {

    private static final long serialVersionUID = 1L;

    /** @param message names the source */
    public SourceUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
