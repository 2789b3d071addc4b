package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a probe or Prometheus sees of a process. */
final class Http {

    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*(?:\\{[^}]*})?) ([-+0-9.eE]+|NaN|[+-]Inf)");

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    Http(int port) {
        this.port = port;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                BodyHandlers.ofString());
    }

    /** 200 or 503; 0 where nobody answers. */
    int status(String path) throws InterruptedException {
        try {
            return get(path).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Every sample, by name and labels as they are written. */
    Map<String, Double> metrics() throws IOException, InterruptedException {
        Map<String, Double> samples = new HashMap<>();
        get("/metrics").body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            assertThat(samples.put(sample.group(1), Double.valueOf(sample.group(2))))
                    .as("%s is there twice", sample.group(1))
                    .isNull();
        });
        return samples;
    }
}
