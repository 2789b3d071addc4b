package io.hereabouts.model.neighborhood;

/**
 * A descriptor that is refused; the message names the JSON path, what is wrong and what was expected. It is fit for a
 * reason string (MQTT 5.0 §3.9.2.1.2): a few hundred characters, none of them a control character.
 */
public final class InvalidDescriptorException extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int MOST_CHARACTERS = 300;

    private final String path;

    /**
     * @param path JSON path such as {@code $.stages[0].where.distance}
     * @param problem what is wrong and what was expected
     */
    public InvalidDescriptorException(String path, String problem) {
        super(path + ": " + printable(problem));
        this.path = path;
    }

    /** The problem may quote what was sent, and what was sent may be anything. */
    private static String printable(String problem) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < problem.length(); ) {
            int c = problem.codePointAt(i);
            int chars = Character.charCount(c);
            boolean isUnpaired = chars == 1 && Character.isSurrogate((char) c);
            if (out.length() + chars > MOST_CHARACTERS) {
                return out.append("...").toString();
            }
            out.appendCodePoint(Character.isISOControl(c) || isUnpaired ? '?' : c);
            i += chars;
        }
        return out.toString();
    }

    /** The JSON path of what is wrong. */
    public String path() {
        return path;
    }
}
