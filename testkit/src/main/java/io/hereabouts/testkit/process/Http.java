package io.hereabouts.testkit.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a probe or Prometheus sees of a process on this machine. Thread-safe. */
public final class Http {

    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*(?:\\{[^}]*})?) ([-+0-9.eE]+|NaN|[+-]Inf)");

    /** Longer than the process takes at most; one that stands still does not answer at all. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final int port;

    public Http(int port) {
        this.port = port;
    }

    /** @throws IOException if nobody answers within 10 s */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(PATIENCE)
                        .build(),
                BodyHandlers.ofString());
    }

    /** 200 or 503; 0 where nobody answers. */
    public int status(String path) throws InterruptedException {
        try {
            return get(path).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /**
     * Every sample, by name and labels as they are written.
     *
     * @throws IllegalStateException if a line is none, or a sample is there twice
     */
    public Map<String, Double> metrics() throws IOException, InterruptedException {
        Map<String, Double> samples = new HashMap<>();
        get("/metrics").body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalStateException("no sample: " + line);
            }
            if (samples.put(sample.group(1), Double.valueOf(sample.group(2))) != null) {
                throw new IllegalStateException(sample.group(1) + " is there twice");
            }
        });
        return samples;
    }
}
