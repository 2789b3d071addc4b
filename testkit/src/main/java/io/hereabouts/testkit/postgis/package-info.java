/** A real PostGIS for tests. */
@NullMarked
package io.hereabouts.testkit.postgis;

import org.jspecify.annotations.NullMarked;
