/** What a process says about itself over HTTP: metrics and health. */
@NullMarked
package io.hereabouts.schemas.ops;

import org.jspecify.annotations.NullMarked;
