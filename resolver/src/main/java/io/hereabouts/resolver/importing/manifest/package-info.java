/** Which files make a world, and what format each is in. */
@NullMarked
package io.hereabouts.resolver.importing.manifest;

import org.jspecify.annotations.NullMarked;
