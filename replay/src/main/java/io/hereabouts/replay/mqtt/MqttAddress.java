package io.hereabouts.replay.mqtt;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an edge listens. Immutable.
 *
 * @param host name or IP address
 * @param port 1 to 65535
 */
public record MqttAddress(String host, int port) {

    private static final Pattern SYNTAX = Pattern.compile("(\\[[^\\[\\]]+]|[^:\\[\\]]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    public MqttAddress {
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException("port is " + port + ", expected 1 to " + MAX_PORT);
        }
    }

    /**
     * Reads {@code host:port}; an IPv6 address stands in brackets.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    public static MqttAddress parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no address such as localhost:1883");
        }
        String host = matcher.group(1);
        return new MqttAddress(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host, Integer.parseInt(matcher.group(2)));
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
