/**
 * How a measurement is done, whatever it measures: a scenario, rounds of a candidate and a baseline in turn, a result
 * with its environment, its books and its targets.
 */
@NullMarked
package io.hereabouts.perf;

import org.jspecify.annotations.NullMarked;
