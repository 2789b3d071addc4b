/** Kafka Streams' own stores as a filter index. */
@NullMarked
package io.hereabouts.perf.index.kafka;

import org.jspecify.annotations.NullMarked;
