/** The edge's clients of Kafka. */
@NullMarked
package io.hereabouts.bridge.kafka;

import org.jspecify.annotations.NullMarked;
