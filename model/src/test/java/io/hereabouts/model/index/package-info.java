@NullMarked
package io.hereabouts.model.index;

import org.jspecify.annotations.NullMarked;
