/** Wills about entities: when they are published, and when not. */
@NullMarked
package io.hereabouts.bridge.will;

import org.jspecify.annotations.NullMarked;
