/** Brokers and stacks in JVMs of their own, so that their work is not counted as the harness's. */
@NullMarked
package io.hereabouts.perf.process;

import org.jspecify.annotations.NullMarked;
