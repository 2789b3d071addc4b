/** Other processes and the lines to them, as an operator and a network treat them. */
@NullMarked
package io.hereabouts.testkit.process;

import org.jspecify.annotations.NullMarked;
