package io.hereabouts.launcher.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code mosquitto_sub} and {@code mosquitto_pub}. */
final class MosquittoDevice implements Device {

    /** What {@code -F} makes mosquitto_sub print: RETAIN, payload. */
    private static final Pattern GOT = Pattern.compile("got ([01]) (.*)");

    private static final Pattern CONNACK = Pattern.compile("Client .* received CONNACK \\((\\d+)\\)");
    private static final Pattern SUBACK = Pattern.compile("Subscribed \\(mid: \\d+\\): (\\d+).*");

    private final String id;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private @Nullable Process process;

    MosquittoDevice(String id) {
        this.id = id;
    }

    @Override
    public int listen(Door door, Wish wish) throws Exception {
        List<String> command = new ArrayList<>(List.of("stdbuf", "-oL", "mosquitto_sub"));
        command.addAll(connection(door, id));
        command.addAll(List.of("-t", wish.topicFilter(), "-d", "-F", "got %r %p"));
        command.addAll(List.of("-D", "subscribe", "user-property", "neighborhood", wish.neighborhood()));
        if (wish.expirySeconds() > 0) {
            command.addAll(List.of("-c", "-x", String.valueOf(wish.expirySeconds())));
        }
        Message will = wish.will();
        if (will != null) {
            command.addAll(List.of("--will-topic", will.topic(), "--will-payload", will.payload(), "--will-qos", "1"));
            command.addAll(List.of("-D", "will", "user-property", "entity", will.entity()));
        }
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        process = started;
        CompletableFuture<Integer> connack = new CompletableFuture<>();
        CompletableFuture<Integer> suback = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(started, connack, suback), id);
        reader.setDaemon(true);
        reader.start();
        int code = connack.get(60, TimeUnit.SECONDS);
        if (code == 0) {
            assertThat(suback.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        }
        return code;
    }

    private void read(Process from, CompletableFuture<Integer> connack, CompletableFuture<Integer> suback) {
        StringBuilder all = new StringBuilder();
        try (BufferedReader lines = from.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.append(line).append('\n');
                Matcher got = GOT.matcher(line);
                Matcher connected = CONNACK.matcher(line);
                Matcher subscribed = SUBACK.matcher(line);
                if (got.matches()) {
                    heard.add(Device.shown(got.group(2), got.group(1).equals("1")));
                } else if (connected.matches()) {
                    connack.complete(Integer.valueOf(connected.group(1)));
                } else if (subscribed.matches()) {
                    suback.complete(Integer.valueOf(subscribed.group(1)));
                }
            }
        } catch (IOException e) {
            all.append(e);
        }
        IllegalStateException ended = new IllegalStateException("mosquitto_sub has ended: " + all);
        connack.completeExceptionally(ended);
        suback.completeExceptionally(ended);
    }

    @Override
    public List<String> heard() {
        return heard;
    }

    @Override
    public void leave() throws Exception {
        Process running = process;
        if (running != null) {
            running.destroy();
            running.waitFor();
        }
    }

    @Override
    public void publish(Door door, Message message) throws Exception {
        List<String> command = new ArrayList<>(List.of("mosquitto_pub"));
        command.addAll(connection(door, id + "-publishes"));
        command.addAll(List.of("-t", message.topic(), "-m", message.payload()));
        command.addAll(List.of("-D", "publish", "user-property", "entity", message.entity()));
        if (message.retain()) {
            command.add("-r");
        }
        Process pub = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(pub.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> said = lines.lines().toList();
            assertThat(pub.waitFor()).as(String.join("\n", said)).isZero();
        }
    }

    private List<String> connection(Door door, String client) {
        return List.of(
                "-V",
                "5",
                "-h",
                "localhost",
                "-p",
                String.valueOf(door.port()),
                "--cafile",
                door.certificate(),
                "-i",
                client,
                "-u",
                id,
                "-P",
                door.token(),
                "-q",
                "1");
    }

    @Override
    public void close() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }
}
