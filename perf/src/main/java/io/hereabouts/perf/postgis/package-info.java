/** What resolving a neighborhood and looking up a publication cost, against SQL on a database made for the run. */
@NullMarked
package io.hereabouts.perf.postgis;

import org.jspecify.annotations.NullMarked;
