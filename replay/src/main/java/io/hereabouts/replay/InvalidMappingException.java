package io.hereabouts.replay;

import java.util.List;

/** A mapping that is refused, with everything that is wrong with it; each line begins with the key. */
public final class InvalidMappingException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    InvalidMappingException(List<String> problems) {
        super("invalid mapping:\n  " + String.join("\n  ", problems));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong, a line each. */
    public List<String> problems() {
        return problems;
    }
}
