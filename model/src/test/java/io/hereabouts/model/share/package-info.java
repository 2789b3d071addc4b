@NullMarked
package io.hereabouts.model.share;

import org.jspecify.annotations.NullMarked;
