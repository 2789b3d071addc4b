/**
 * The books in public: a stack of processes under a steady load of numbered publications while its parts are killed, stopped
 * and cut off, and every copy accounted for.
 */
@NullMarked
package io.hereabouts.perf.ledger;

import org.jspecify.annotations.NullMarked;
