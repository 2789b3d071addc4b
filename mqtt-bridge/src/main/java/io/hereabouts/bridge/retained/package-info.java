/** Which retained publications there are, and who is to get which of them when. Pure. */
@NullMarked
package io.hereabouts.bridge.retained;

import org.jspecify.annotations.NullMarked;
