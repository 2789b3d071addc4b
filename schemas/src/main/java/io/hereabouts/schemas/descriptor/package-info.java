/** The neighborhood descriptor as JSON. */
@NullMarked
package io.hereabouts.schemas.descriptor;

import org.jspecify.annotations.NullMarked;
