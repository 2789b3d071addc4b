/** Published data sets that tests read where they are at hand. */
@NullMarked
package io.hereabouts.testkit.data;

import org.jspecify.annotations.NullMarked;
