/** The world model in memory: the embedded default, fed with change sets. */
@NullMarked
package io.hereabouts.resolver.memory;

import org.jspecify.annotations.NullMarked;
