@NullMarked
package io.hereabouts.resolver.filters;

import org.jspecify.annotations.NullMarked;
