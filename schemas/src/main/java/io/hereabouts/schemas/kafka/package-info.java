/** Kafka topics: names, settings, keys, partitions, and how their clients are set up. */
@NullMarked
package io.hereabouts.schemas.kafka;

import org.jspecify.annotations.NullMarked;
