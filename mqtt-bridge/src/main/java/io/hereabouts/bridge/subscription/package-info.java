/** Who wants what at this edge, and how a wish becomes active. Pure. */
@NullMarked
package io.hereabouts.bridge.subscription;

import org.jspecify.annotations.NullMarked;
