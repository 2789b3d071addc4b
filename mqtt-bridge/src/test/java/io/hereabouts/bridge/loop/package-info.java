@NullMarked
package io.hereabouts.bridge.loop;

import org.jspecify.annotations.NullMarked;
