package io.hereabouts.resolver.postgis;

import java.time.Duration;

/**
 * Where the database is and how many connections it may be asked for. Immutable.
 *
 * @param url JDBC URL, {@code jdbc:postgresql://host:5432/database}
 * @param connections the most at one time, at least 1
 * @param connectTimeout how long to wait for one, at least 250 ms
 */
public record PostgisConnection(String url, String user, String password, int connections, Duration connectTimeout) {

    private static final int DEFAULT_CONNECTIONS = 4;
    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(3);

    public PostgisConnection {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "world.postgis.url is '" + url + "', expected jdbc:postgresql://host:port/database");
        }
        if (connections < 1) {
            throw new IllegalArgumentException("connections is " + connections + ", expected at least 1");
        }
        if (connectTimeout.toMillis() < 250) {
            throw new IllegalArgumentException("connectTimeout is " + connectTimeout + ", expected at least 250 ms");
        }
    }

    /** Four connections, three seconds. */
    public static PostgisConnection of(String url, String user, String password) {
        return new PostgisConnection(url, user, password, DEFAULT_CONNECTIONS, DEFAULT_CONNECT_TIMEOUT);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user + "@" + url;
    }
}
