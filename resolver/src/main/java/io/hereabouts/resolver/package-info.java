/** Turns interests into spatial filters: the door of this module. */
@NullMarked
package io.hereabouts.resolver;

import org.jspecify.annotations.NullMarked;
