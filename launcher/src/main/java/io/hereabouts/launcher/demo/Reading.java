package io.hereabouts.launcher.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

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

    /** The reading in a payload; empty if it is somebody else's. */
    static Optional<Reading> parse(byte[] payload) {
        try {
            JsonNode node = JSON.readTree(payload);
            return node.hasNonNull("id") && node.hasNonNull("vehicles") && node.hasNonNull("speed")
                    ? Optional.of(new Reading(
                            node.get("id").asText(),
                            node.get("vehicles").asInt(),
                            node.get("speed").asInt()))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return String.format("#%-6s %3d vehicles at %3d km/h", id, vehicles, speed);
    }
}
