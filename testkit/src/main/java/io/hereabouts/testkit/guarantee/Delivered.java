package io.hereabouts.testkit.guarantee;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One message as it reached one client, before anybody drops repeats.
 *
 * @param publication id of the publication, see {@link io.hereabouts.testkit.oracle.Published#id()}
 * @param client client id of the subscriber
 * @param neighborhoodIds as the message names them, in any order; empty for a plain subscription
 * @param qos it came with
 */
public record Delivered(String publication, String client, SortedSet<String> neighborhoodIds, int qos) {
    public Delivered {
        neighborhoodIds = Collections.unmodifiableSortedSet(new TreeSet<>(neighborhoodIds));
    }

    /** A message with the neighborhood-ids in the order they were found. */
    public static Delivered of(String publication, String client, List<String> neighborhoodIds, int qos) {
        return new Delivered(publication, client, new TreeSet<>(neighborhoodIds), qos);
    }
}
