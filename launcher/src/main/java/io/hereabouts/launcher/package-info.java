/** The only place where the features meet: settings become configurations, configurations become a running stack. */
@NullMarked
package io.hereabouts.launcher;

import org.jspecify.annotations.NullMarked;
