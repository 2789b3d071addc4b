/** Settings from files, environment and command line. */
@NullMarked
package io.hereabouts.schemas.settings;

import org.jspecify.annotations.NullMarked;
