@NullMarked
package io.hereabouts.perf.shape;

import org.jspecify.annotations.NullMarked;
