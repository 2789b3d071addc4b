@NullMarked
package io.hereabouts.perf.postgis;

import org.jspecify.annotations.NullMarked;
