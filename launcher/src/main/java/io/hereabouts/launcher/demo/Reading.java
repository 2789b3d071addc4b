package io.hereabouts.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What a detector of the demo says.
 *
 * @param id number of the reading, as text
 * @param vehicles counted since the last one
 * @param speed km/h
 */
record Reading(String id, int vehicles, int speed) {

    private static final ObjectMapper JSON = new ObjectMapper();

    byte[] payload() {
        return String.format("{\"id\":\"%s\",\"vehicles\":%d,\"speed\":%d}", id, vehicles, speed)
                .getBytes(StandardCharsets.UTF_8);
    }

    static Reading parse(byte[] payload) {
        try {
            JsonNode node = JSON.readTree(payload);
            return new Reading(
                    node.path("id").asText(),
                    node.path("vehicles").asInt(),
                    node.path("speed").asInt());
        } catch (IOException e) {
            throw new UncheckedIOException("not a reading of the demo", e);
        }
    }

    @Override
    public String toString() {
        return String.format("#%-6s %3d vehicles at %3d km/h", id, vehicles, speed);
    }
}
