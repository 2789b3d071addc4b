package io.hereabouts.schemas.ops;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** What a process can tell about one of its things. Thread-safe; may take a few seconds. */
@FunctionalInterface
public interface Lookup {

    /** What is so now; empty if there is no such thing. */
    Optional<JsonNode> of(String id);
}
