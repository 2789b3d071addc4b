package io.hereabouts.resolver.importing;

import io.hereabouts.model.entity.PhysicalEntity;
import org.jspecify.annotations.Nullable;

/** What one feature of a file turned out to be. */
public sealed interface Feature {

    /** Where in the file, for people: {@code feature 17 (line 212)} or {@code line 3}. */
    String position();

    /**
     * A physical entity.
     *
     * @param repaired what was wrong with its geometry before it was repaired, in words, or null if nothing was
     */
    record Entity(String position, PhysicalEntity entity, @Nullable String repaired) implements Feature {}

    /**
     * A feature that is wrong.
     *
     * @param id as far as known
     * @param incomplete true if something that it refers to is not in the file
     * @param reason what is wrong, in words
     */
    record Bad(String position, @Nullable String id, boolean incomplete, String reason) implements Feature {}

    /**
     * A feature that the rules leave out: nothing is wrong with it.
     *
     * @param id as far as known
     * @param reason why, in words
     */
    record Skipped(String position, @Nullable String id, String reason) implements Feature {}
}
