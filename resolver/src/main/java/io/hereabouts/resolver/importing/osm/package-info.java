/**
 * Reads OpenStreetMap data in PBF: tagged nodes, ways as lines or areas, multipolygon and boundary relations.
 *
 * @see <a href="https://wiki.openstreetmap.org/wiki/PBF_Format">PBF format</a>
 */
@NullMarked
package io.hereabouts.resolver.importing.osm;

import org.jspecify.annotations.NullMarked;
