package io.hereabouts.perf.postgis;

import io.hereabouts.testkit.postgis.TestPostgis;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * On which server a run makes its database. Immutable.
 *
 * @param authority host and port, as in a URL
 * @param database an existing one, to connect to and say CREATE DATABASE
 * @param options of connections, as in a URL, with their question mark; without user and password
 * @param origin what to call it in a result
 */
public record PostgisServer(
        String authority, String database, String options, String user, String password, String origin) {

    private static final Pattern URL = Pattern.compile("jdbc:postgresql://([^/?]+)/([^/?]+)(?:\\?(.*))?");

    /** The server of this JDBC URL; null: a private one, which is started now and ends with this process.
     *
     * @throws IllegalArgumentException if the URL is none, or there is no PostGIS to be started
     */
    public static PostgisServer of(@Nullable String url) {
        return url == null ? started() : parse(url);
    }

    private static PostgisServer parse(String url) {
        Matcher parts = URL.matcher(url);
        // the driver would log a URL that it does not like, with the password
        Properties parsed = parts.matches() ? Driver.parseURL(url, new Properties()) : null;
        if (parsed == null) {
            throw new IllegalArgumentException("--postgis is '" + url.replaceFirst("\\?.*", "")
                    + "', expected jdbc:postgresql://host:port/database?user=NAME&password=SECRET");
        }
        Map<String, String> options = new TreeMap<>();
        String query = parts.group(3) == null ? "" : parts.group(3);
        for (String option : query.split("&", -1)) {
            String key = option.replaceFirst("=.*", "");
            if (!key.isEmpty() && !key.equals("user") && !key.equals("password")) {
                options.put(key, option);
            }
        }
        return new PostgisServer(
                parts.group(1),
                parts.group(2),
                options.isEmpty() ? "" : options.values().stream().collect(Collectors.joining("&", "?", "")),
                parsed.getProperty("user", System.getProperty("user.name")),
                parsed.getProperty("password", ""),
                parts.group(1));
    }

    private static PostgisServer started() {
        try {
            TestPostgis.Database database = TestPostgis.shared().newDatabase();
            return new PostgisServer(
                    database.host() + ":" + database.port(),
                    database.name(),
                    "",
                    database.user(),
                    database.password(),
                    "started for the run");
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(
                    "no PostGIS can be started here, give --postgis or install it (Debian: postgresql, postgresql-postgis): "
                            + firstLine(e.getCause() == null ? e : e.getCause()),
                    e);
        }
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** The JDBC URL of a database of this server, without user and password. */
    String url(String name) {
        return "jdbc:postgresql://" + authority + "/" + name + options;
    }
}
