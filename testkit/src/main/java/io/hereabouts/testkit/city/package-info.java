/** A made-up city, the same for the same seed. */
@NullMarked
package io.hereabouts.testkit.city;

import org.jspecify.annotations.NullMarked;
