/** Which edge has the session of a client. */
@NullMarked
package io.hereabouts.bridge.claim;

import org.jspecify.annotations.NullMarked;
