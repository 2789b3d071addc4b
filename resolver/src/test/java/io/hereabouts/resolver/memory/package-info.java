@NullMarked
package io.hereabouts.resolver.memory;

import org.jspecify.annotations.NullMarked;
