package io.hereabouts.bridge.status;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.hereabouts.model.neighborhood.NeighborhoodId;
import java.util.List;

/**
 * What became of a neighborhood.
 *
 * @param neighborhood of which it is
 * @param entities in its spatial filter
 * @param worldVersion version of the world that its spatial filter is of
 * @param missing references that the world does not have any more
 * @param reason why it could not be resolved again; empty if it was
 */
@JsonPropertyOrder({"neighborhood", "state", "entities", "worldVersion", "missing", "reason"})
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Status(
        @JsonSerialize(using = ToStringSerializer.class) NeighborhoodId neighborhood,
        int entities,
        long worldVersion,
        List<String> missing,
        String reason) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public Status {
        missing = List.copyOf(missing);
    }

    /** {@code resolved}; {@code incomplete} without a reference that is gone; {@code outdated} if resolving failed. */
    public String getState() {
        if (!reason.isEmpty()) {
            return "outdated";
        }
        return missing.isEmpty() ? "resolved" : "incomplete";
    }

    /** As clients get it: UTF-8. */
    byte[] json() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("text and numbers are JSON", e);
        }
    }
}
