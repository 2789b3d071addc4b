package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.testkit.city.SeededCity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Neighborhoods of about a hundred entities each that routers have to load and look through, and no publication's topic matches. */
final class Ballast implements AutoCloseable {

    private static final int CLIENTS = 20;
    private static final int NARROWEST_METRES = 1_150;

    private final List<TestClient> clients = new ArrayList<>();
    private final int neighborhoods;

    /** Subscribes to so many different ones; returns when all are active. */
    Ballast(SeededCity city, int neighborhoods, int[] ports) {
        this.neighborhoods = neighborhoods;
        int zones = city.size() * city.size();
        for (int c = 0; c < CLIENTS && neighborhoods > 0; c++) {
            clients.add(TestClient.connect(ports[c % ports.length], "ballast-" + c, p -> {}));
        }
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int c = 0; c < clients.size(); c++) {
            // one after the other of each client, so that none waits for longer than the edge allows
            CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
            for (int n = c; n < neighborhoods; n += CLIENTS) {
                TestClient client = clients.get(c);
                String descriptor = descriptor(1 + n % zones, NARROWEST_METRES + n / zones);
                String id = "b" + n;
                chain = chain.thenCompose(done -> client.subscribe("ballast/#", 0, descriptor, id))
                        .thenAccept(answer ->
                                assertThat(answer.code()).as(answer.reason()).isZero());
            }
            all.add(chain);
        }
        all.forEach(CompletableFuture::join);
    }

    int neighborhoods() {
        return neighborhoods;
    }

    private static String descriptor(int zone, int metres) {
        return "{\"stages\":[{\"references\":[\"zone/" + zone
                + "\"],\"categories\":[\"detector\",\"parking\",\"road\"],\"where\":{\"relation\":\"dwithin\",\"distance\":"
                + metres + "}}]}";
    }

    @Override
    public void close() {
        clients.forEach(TestClient::close);
    }
}
