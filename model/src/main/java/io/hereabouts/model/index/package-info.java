/** The filter index of one partition: which neighborhoods an entity is in, and who is interested in them. */
@NullMarked
package io.hereabouts.model.index;

import org.jspecify.annotations.NullMarked;
