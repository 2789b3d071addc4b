/** The neighborhood descriptor, its canonical form and its identity. */
@NullMarked
package io.hereabouts.model.neighborhood;

import org.jspecify.annotations.NullMarked;
