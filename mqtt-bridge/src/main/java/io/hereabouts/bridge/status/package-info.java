/** What clients are told of their neighborhoods. */
@NullMarked
package io.hereabouts.bridge.status;

import org.jspecify.annotations.NullMarked;
