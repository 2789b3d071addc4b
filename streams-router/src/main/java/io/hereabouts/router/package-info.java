/**
 * Routes publications: each goes to the edges whose interests it matches, by the filters of its own partition. The door
 * is {@link io.hereabouts.router.Router}.
 */
@NullMarked
package io.hereabouts.router;

import org.jspecify.annotations.NullMarked;
