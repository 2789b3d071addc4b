@NullMarked
package io.hereabouts.perf;

import org.jspecify.annotations.NullMarked;
