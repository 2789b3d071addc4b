/** Which neighborhoods are held by whom, and what has to be written to the Kafka topic of filters. Pure. */
@NullMarked
package io.hereabouts.resolver.filters;

import org.jspecify.annotations.NullMarked;
