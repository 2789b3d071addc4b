package io.hereabouts.model.neighborhood;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The spatial relations, read <em>candidate RELATION reference</em>: {@code WITHIN} means that the candidate lies inside
 * the reference. The named ones are those of OGC Simple Features (06-103r4 §6.1.15), {@code COVERS} and
 * {@code COVERED_BY} are PostGIS' and JTS' variants that include the boundary.
 */
public enum Relation {
    EQUALS("equals"),
    DISJOINT("disjoint"),
    INTERSECTS("intersects"),
    TOUCHES("touches"),
    CROSSES("crosses"),
    WITHIN("within"),
    CONTAINS("contains"),
    OVERLAPS("overlaps"),
    COVERS("covers"),
    COVERED_BY("coveredBy"),
    /** Ellipsoidal distance at most {@code distance} metres. */
    DWITHIN("dwithin"),
    /** The DE-9IM matrix matches {@code pattern}. */
    RELATE("relate");

    private final String word;

    Relation(String word) {
        this.word = word;
    }

    /** The word as the canonical descriptor writes it. */
    public String word() {
        return word;
    }

    /** Finds a relation by its word: any case, {@code ST_} prefix allowed, {@code near} for {@code dwithin}. */
    public static Optional<Relation> byWord(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String bare = lower.startsWith("st_") ? lower.substring(3) : lower;
        if (bare.equals("near")) {
            return Optional.of(DWITHIN);
        }
        return Arrays.stream(values())
                .filter(r -> r.word.toLowerCase(Locale.ROOT).equals(bare))
                .findFirst();
    }

    /** All words, for error messages. */
    public static String words() {
        return Arrays.stream(values()).map(Relation::word).collect(Collectors.joining(", "));
    }
}
