package io.hereabouts.schemas.ops;

import io.hereabouts.schemas.settings.StackSettings;

/**
 * Where a process answers about itself.
 *
 * @param host to bind to
 * @param port 0 for any free one
 */
public record OpsAddress(String host, int port) {

    private static final int MAX_PORT = 65_535;

    /** @throws IllegalArgumentException naming the setting that is wrong */
    public OpsAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("http.host is blank, expected an address to listen on");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("http.port is " + port + ", expected 0 to " + MAX_PORT);
        }
    }

    /** As the settings say. */
    public static OpsAddress of(StackSettings settings) {
        return new OpsAddress(settings.http().host(), settings.http().port());
    }
}
