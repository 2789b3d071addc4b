package io.hereabouts.perf.postgis;

import java.util.List;

/**
 * Both modes at one place.
 *
 * @param memory microseconds in each round
 * @param database the same
 * @param checks answers that were compared
 * @param right those that were as they must be
 */
record PaperPoint(double x, List<Double> memory, List<Double> database, long checks, long right) {}
