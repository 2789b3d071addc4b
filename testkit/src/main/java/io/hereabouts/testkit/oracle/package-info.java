/** What should be delivered, worked out the slow and obvious way. Uses the vocabulary of the model and none of its rules. */
@NullMarked
package io.hereabouts.testkit.oracle;

import org.jspecify.annotations.NullMarked;
