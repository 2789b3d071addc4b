/** Which spatial publications are taken and which are refused. Pure. */
@NullMarked
package io.hereabouts.bridge.publish;

import org.jspecify.annotations.NullMarked;
