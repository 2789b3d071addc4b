/** The world model in PostGIS. Nothing else in the system sees {@code java.sql}. */
@NullMarked
package io.hereabouts.resolver.postgis;

import org.jspecify.annotations.NullMarked;
