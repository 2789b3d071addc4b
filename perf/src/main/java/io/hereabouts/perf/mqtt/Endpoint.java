package io.hereabouts.perf.mqtt;

/** Where a broker listens. */
public record Endpoint(String host, int port) {

    private static final int MAX_PORT = 65_535;

    public Endpoint {
        if (host.isBlank() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("'" + host + ":" + port + "' is not host:port");
        }
    }

    /** @throws IllegalArgumentException if the text is not {@code host:port} */
    public static Endpoint parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            return new Endpoint(text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not host:port");
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
