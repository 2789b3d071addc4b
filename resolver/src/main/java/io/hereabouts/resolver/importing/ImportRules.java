package io.hereabouts.resolver.importing;

/**
 * How features become physical entities, whatever the format. Immutable.
 *
 * @param ids where an entity's id comes from
 * @param categories where its categories come from
 * @param repeatedIds what a second feature of one id means
 * @param repair invalid geometries are mended as far as that is possible, not refused
 */
public record ImportRules(IdRule ids, CategoryRule categories, RepeatedIds repeatedIds, boolean repair) {

    /** Without repairs. */
    public ImportRules(IdRule ids, CategoryRule categories, RepeatedIds repeatedIds) {
        this(ids, categories, repeatedIds, false);
    }

    /** What a second feature of one id in a file means. */
    public enum RepeatedIds {
        /** It is read as well and replaces the first. */
        LAST_WINS,
        /** It is skipped. */
        FIRST_WINS,
        /** It is bad. */
        REFUSE
    }
}
