/** Replayed publications into Kafka. */
@NullMarked
package io.hereabouts.replay.mqtt;

import org.jspecify.annotations.NullMarked;
