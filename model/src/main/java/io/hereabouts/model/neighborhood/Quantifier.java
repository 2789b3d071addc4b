package io.hereabouts.model.neighborhood;

import java.util.Arrays;
import java.util.Optional;

/** For how many of a stage's references the condition must hold. */
public enum Quantifier {
    /** Some single reference makes the whole condition true. */
    ANY("any"),
    /** Every reference does; true for a stage without references. */
    ALL("all"),
    /** No reference does: the anti-join. True for a stage without references. */
    NONE("none");

    private final String word;

    Quantifier(String word) {
        this.word = word;
    }

    /** The word as the descriptor writes it. */
    public String word() {
        return word;
    }

    /** Finds a quantifier by its word. */
    public static Optional<Quantifier> byWord(String text) {
        return Arrays.stream(values()).filter(q -> q.word.equals(text)).findFirst();
    }
}
