/** Who may connect, publish and subscribe: rules that know nothing of HiveMQ. */
@NullMarked
package io.hereabouts.bridge.access;

import org.jspecify.annotations.NullMarked;
