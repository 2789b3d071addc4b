package io.hereabouts.bridge.access;

import java.util.Optional;

/**
 * What a CONNECT comes with.
 *
 * @param certificate the common name of its certificate, where that counts
 * @param password or token
 */
public record Credentials(
        String client, Optional<String> certificate, Optional<String> user, Optional<byte[]> password) {

    /** Nothing of the password. */
    @Override
    public String toString() {
        return "Credentials[" + client + ", " + user + "]";
    }
}
