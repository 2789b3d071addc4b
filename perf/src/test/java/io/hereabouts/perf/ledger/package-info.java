@NullMarked
package io.hereabouts.perf.ledger;

import org.jspecify.annotations.NullMarked;
