/** Kafka around the resolver's rules: reading interests, writing filters, answering edges, feeding the world. */
@NullMarked
package io.hereabouts.resolver.kafka;

import org.jspecify.annotations.NullMarked;
