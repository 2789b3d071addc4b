@NullMarked
package io.hereabouts.perf.kafka;

import org.jspecify.annotations.NullMarked;
