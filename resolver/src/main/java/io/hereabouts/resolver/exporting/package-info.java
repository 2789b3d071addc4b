/** Writes the entities of a world as files that can be imported again. */
@NullMarked
package io.hereabouts.resolver.exporting;

import org.jspecify.annotations.NullMarked;
