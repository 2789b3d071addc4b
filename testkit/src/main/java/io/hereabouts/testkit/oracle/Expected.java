package io.hereabouts.testkit.oracle;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One copy that one client should get.
 *
 * @param publication {@link Published#id()}
 * @param client client id of the subscriber
 * @param neighborhoodIds of those subscriptions of the client that match; empty if only plain ones do
 * @param qos the lower of the publication's and the highest of the matching subscriptions'
 */
public record Expected(String publication, String client, SortedSet<String> neighborhoodIds, int qos) {
    public Expected {
        neighborhoodIds = Collections.unmodifiableSortedSet(new TreeSet<>(neighborhoodIds));
    }
}
