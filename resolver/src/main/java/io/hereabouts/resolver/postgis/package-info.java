/** The world model in PostGIS. Nothing else that runs in production sees {@code java.sql}. */
@NullMarked
package io.hereabouts.resolver.postgis;

import org.jspecify.annotations.NullMarked;
