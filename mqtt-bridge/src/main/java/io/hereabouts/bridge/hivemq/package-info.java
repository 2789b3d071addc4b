/** The edge's place in HiveMQ CE: interceptors, authorizers, and the broker itself. */
@NullMarked
package io.hereabouts.bridge.hivemq;

import org.jspecify.annotations.NullMarked;
