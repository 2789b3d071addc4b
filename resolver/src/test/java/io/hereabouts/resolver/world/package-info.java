@NullMarked
package io.hereabouts.resolver.world;

import org.jspecify.annotations.NullMarked;
