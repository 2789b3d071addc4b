@NullMarked
package io.hereabouts.router;

import org.jspecify.annotations.NullMarked;
