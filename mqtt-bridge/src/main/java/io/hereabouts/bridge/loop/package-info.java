/** The one thread that owns an edge's state. */
@NullMarked
package io.hereabouts.bridge.loop;

import org.jspecify.annotations.NullMarked;
