/** Real city data for tests: where it is, and neighborhoods in it. */
@NullMarked
package io.hereabouts.testkit.city;

import org.jspecify.annotations.NullMarked;
