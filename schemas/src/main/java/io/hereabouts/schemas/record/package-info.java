/** The Avro records and their framing. */
@NullMarked
package io.hereabouts.schemas.record;

import org.jspecify.annotations.NullMarked;
