/** The edge as an extension that is installed in a HiveMQ CE. */
@NullMarked
package io.hereabouts.bridge.extension;

import org.jspecify.annotations.NullMarked;
