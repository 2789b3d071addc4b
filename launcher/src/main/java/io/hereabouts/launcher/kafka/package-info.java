/** Kafka inside this process. */
@NullMarked
package io.hereabouts.launcher.kafka;

import org.jspecify.annotations.NullMarked;
