/** Who wants what: an interest is a neighborhood, a topic filter and an edge. */
@NullMarked
package io.hereabouts.model.interest;

import org.jspecify.annotations.NullMarked;
