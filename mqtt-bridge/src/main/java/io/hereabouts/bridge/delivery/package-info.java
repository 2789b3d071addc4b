/** How a delivery becomes copies for clients, and how many a client has at a time. Pure. */
@NullMarked
package io.hereabouts.bridge.delivery;

import org.jspecify.annotations.NullMarked;
