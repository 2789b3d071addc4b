/** Settings from files, environment and command line. */
@NullMarked
package io.hereabouts.launcher.config;

import org.jspecify.annotations.NullMarked;
