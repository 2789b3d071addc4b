/** A made-up city with subscribers and detectors that report: what {@code hereabouts demo} shows. */
@NullMarked
package io.hereabouts.launcher.demo;

import org.jspecify.annotations.NullMarked;
