/** Historical files become publications again, in the order and at the pace of their event times. */
@NullMarked
package io.hereabouts.replay;

import org.jspecify.annotations.NullMarked;
