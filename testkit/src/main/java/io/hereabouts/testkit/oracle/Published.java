package io.hereabouts.testkit.oracle;

import org.jspecify.annotations.Nullable;

/**
 * A publication as its publisher sent it.
 *
 * @param id names it; unique in a test, and found again in what is delivered
 * @param publisher client id of the publisher
 * @param topic topic name
 * @param entity id of the physical entity whose state it is, null for plain MQTT
 * @param qos 0, 1 or 2
 */
public record Published(String id, String publisher, String topic, @Nullable String entity, int qos) {}
