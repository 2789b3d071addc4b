/** The edge: MQTT 5 clients on one side, Kafka on the other. */
@NullMarked
package io.hereabouts.bridge;

import org.jspecify.annotations.NullMarked;
