/** What the system promises, as objects that watch publishes and deliveries and speak up at the end. */
@NullMarked
package io.hereabouts.testkit.guarantee;

import org.jspecify.annotations.NullMarked;
