/**
 * Reads files of physical entities: GeoJSON and CSV, plain or gzipped, feature by feature. What is wrong with one feature
 * is said about that feature; the rest is read. Other formats are in packages of their own; {@code manifest} chooses.
 */
@NullMarked
package io.hereabouts.resolver.importing;

import org.jspecify.annotations.NullMarked;
