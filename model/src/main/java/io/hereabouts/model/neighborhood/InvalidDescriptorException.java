package io.hereabouts.model.neighborhood;

/** A descriptor that is refused; the message names the JSON path, what is wrong and what was expected. */
public final class InvalidDescriptorException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String path;

    /**
     * @param path JSON path such as {@code $.stages[0].where.distance}
     * @param problem what is wrong and what was expected
     */
    public InvalidDescriptorException(String path, String problem) {
        super(path + ": " + problem);
        this.path = path;
    }

    /** The JSON path of what is wrong. */
    public String path() {
        return path;
    }
}
