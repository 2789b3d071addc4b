/** Replayed publications into Kafka. */
@NullMarked
package io.hereabouts.replay.kafka;

import org.jspecify.annotations.NullMarked;
