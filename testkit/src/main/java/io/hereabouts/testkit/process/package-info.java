/** Other processes, as an operator treats them. */
@NullMarked
package io.hereabouts.testkit.process;

import org.jspecify.annotations.NullMarked;
