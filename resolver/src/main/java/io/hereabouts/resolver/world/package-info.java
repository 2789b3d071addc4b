/** The world model as the resolver sees it: a port, what it answers, and the rules of resolution without any I/O. */
@NullMarked
package io.hereabouts.resolver.world;

import org.jspecify.annotations.NullMarked;
