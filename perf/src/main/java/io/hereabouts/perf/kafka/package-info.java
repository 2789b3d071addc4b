/** The router against an identity topology, on a Kafka of their own. */
@NullMarked
package io.hereabouts.perf.kafka;

import org.jspecify.annotations.NullMarked;
