/** The router's filter index, measured by JMH against other ways to keep the same pairs. */
@NullMarked
package io.hereabouts.perf.index;

import org.jspecify.annotations.NullMarked;
