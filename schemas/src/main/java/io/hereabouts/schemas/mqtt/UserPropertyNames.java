package io.hereabouts.schemas.mqtt;

import java.util.List;

/**
 * The names of the user properties that carry Hereabouts over MQTT 5. All are reserved: those that only the broker sends
 * are stripped when a client sends them.
 *
 * @param neighborhood SUBSCRIBE: the descriptor as JSON
 * @param neighborhoodId SUBSCRIBE, UNSUBSCRIBE: chosen by the client; PUBLISH to the client: once a matching neighborhood
 * @param entity PUBLISH: id of the physical entity whose state this is
 * @param publicationId PUBLISH to the client: stable over repeats
 */
public record UserPropertyNames(String neighborhood, String neighborhoodId, String entity, String publicationId) {

    /** The names of the specification. */
    public static final UserPropertyNames DEFAULT =
            new UserPropertyNames("neighborhood", "neighborhood-id", "entity", "publication-id");

    public UserPropertyNames {
        List<String> names = List.of(neighborhood, neighborhoodId, entity, publicationId);
        if (names.stream().anyMatch(String::isBlank)
                || names.stream().distinct().count() != names.size()) {
            throw new IllegalArgumentException("user property names must differ and not be blank: " + names);
        }
    }
}
