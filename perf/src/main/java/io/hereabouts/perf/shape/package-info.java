/** Which simple curve measured points lie on. */
@NullMarked
package io.hereabouts.perf.shape;

import org.jspecify.annotations.NullMarked;
