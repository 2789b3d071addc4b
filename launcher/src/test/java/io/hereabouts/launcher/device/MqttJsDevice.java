package io.hereabouts.launcher.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** MQTT.js, in a Node of its own that does what lines of JSON tell it. */
final class MqttJsDevice implements Device {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String id;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    private final Process node;
    private final BufferedWriter commands;

    MqttJsDevice(String id) throws IOException {
        this.id = id;
        ProcessBuilder builder = new ProcessBuilder("node", "target/clients/device.js").redirectErrorStream(true);
        builder.environment().put("NODE_PATH", new File("target/clients/node_modules").getAbsolutePath());
        this.node = builder.start();
        this.commands = node.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, id);
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = node.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode said = JSON.readTree(line);
                if (said.has("payload")) {
                    heard.add(Device.shown(
                            said.get("payload").asText(), said.get("retain").asBoolean()));
                } else {
                    answers.add(said);
                }
            }
        } catch (IOException e) {
            answers.add(JSON.createObjectNode().put("error", e.toString()));
        }
    }

    @Override
    public int listen(Door door, Wish wish) throws Exception {
        return ask("listen", door, JSON.valueToTree(wish)).path("connack").asInt(-1);
    }

    @Override
    public List<String> heard() {
        return heard;
    }

    @Override
    public void leave() throws Exception {
        ask(JSON.createObjectNode().put("do", "leave"));
    }

    @Override
    public void publish(Door door, Message message) throws Exception {
        ask("publish", door, JSON.valueToTree(message));
    }

    private JsonNode ask(String what, Door door, JsonNode with) throws Exception {
        ObjectNode command = JSON.createObjectNode().put("do", what).put("id", id);
        command.set("door", JSON.valueToTree(door));
        command.set("with", with);
        return ask(command);
    }

    private JsonNode ask(ObjectNode command) throws Exception {
        commands.write(command + "\n");
        commands.flush();
        JsonNode answer = answers.poll(60, TimeUnit.SECONDS);
        if (answer == null || answer.has("error")) {
            throw new IllegalStateException(command.get("do") + ": " + answer);
        }
        return answer;
    }

    @Override
    public void close() {
        node.destroyForcibly();
    }
}
