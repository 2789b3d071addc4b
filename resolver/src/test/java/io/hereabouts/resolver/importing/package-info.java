@NullMarked
package io.hereabouts.resolver.importing;

import org.jspecify.annotations.NullMarked;
