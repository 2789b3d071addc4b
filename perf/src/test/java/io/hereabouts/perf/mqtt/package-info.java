@NullMarked
package io.hereabouts.perf.mqtt;

import org.jspecify.annotations.NullMarked;
