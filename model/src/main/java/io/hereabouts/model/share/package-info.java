/** Who of a group gets a publication. */
@NullMarked
package io.hereabouts.model.share;

import org.jspecify.annotations.NullMarked;
