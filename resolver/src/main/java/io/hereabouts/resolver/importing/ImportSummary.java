package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.Category;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of the features of one or more files. An entity of several categories counts in each. Immutable.
 *
 * @param entities read; one that is there twice counts twice
 * @param repaired entities whose geometry was mended
 * @param bad features that were wrong
 * @param incomplete how many of the bad ones refer to something that is not in the file
 * @param skipped features that the rules leave out
 * @param byCategory entities of each category
 */
public record ImportSummary(
        long entities, long repaired, long bad, long incomplete, long skipped, Map<String, Long> byCategory) {

    public ImportSummary {
        byCategory = Collections.unmodifiableMap(new TreeMap<>(byCategory));
    }

    /** Counts features. For one thread. */
    public static final class Counter {

        private final Map<String, Long> byCategory = new TreeMap<>();
        private long entities;
        private long repaired;
        private long bad;
        private long incomplete;
        private long skipped;

        /** Counts one more. */
        public void add(Feature feature) {
            if (feature instanceof Feature.Entity read) {
                entities++;
                repaired += read.repaired() == null ? 0 : 1;
                for (Category category : read.entity().categories()) {
                    byCategory.merge(category.path(), 1L, Long::sum);
                }
            } else if (feature instanceof Feature.Bad wrong) {
                bad++;
                incomplete += wrong.incomplete() ? 1 : 0;
            } else {
                skipped++;
            }
        }

        /** The counts so far. */
        public ImportSummary summary() {
            return new ImportSummary(entities, repaired, bad, incomplete, skipped, byCategory);
        }
    }
}
