/** A real Kafka for tests. */
@NullMarked
package io.hereabouts.testkit.kafka;

import org.jspecify.annotations.NullMarked;
