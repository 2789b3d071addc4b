package io.hereabouts.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * Text with column names in braces, such as {@code sensors/{mq_name}/traffic}. A brace itself is written twice.
 * Immutable.
 */
public final class Template {

    private final String source;
    private final List<Part> parts;

    private Template(String source, List<Part> parts) {
        this.source = source;
        this.parts = List.copyOf(parts);
    }

    /** @throws IllegalArgumentException naming the index of what is wrong */
    static Template parse(String source) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < source.length(); i++) {
            char c = source.charAt(i);
            boolean twice = i + 1 < source.length() && source.charAt(i + 1) == c;
            if ((c == '{' || c == '}') && twice) {
                literal.append(c);
                i++;
            } else if (c == '{') {
                int end = source.indexOf('}', i);
                if (end < 0) {
                    throw new IllegalArgumentException("'{' at index " + i + " is not closed");
                }
                String column = source.substring(i + 1, end);
                if (column.isEmpty() || column.indexOf('{') >= 0) {
                    throw new IllegalArgumentException("'{' at index " + i + " is not followed by a column name");
                }
                parts.add(new Part(literal.toString(), column));
                literal.setLength(0);
                i = end;
            } else if (c == '}') {
                throw new IllegalArgumentException("'}' at index " + i + " closes nothing; write }} for a brace");
            } else {
                literal.append(c);
            }
        }
        parts.add(new Part(literal.toString(), ""));
        return new Template(source, parts);
    }

    List<String> columns() {
        return parts.stream().map(Part::column).filter(c -> !c.isEmpty()).toList();
    }

    String fill(Row row) throws BadLineException {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            out.append(part.before());
            if (!part.column().isEmpty()) {
                out.append(row.text(part.column()));
            }
        }
        return out.toString();
    }

    @Override
    public String toString() {
        return source;
    }

    /**
     * @param before literal text
     * @param column what follows it; empty at the end
     */
    private record Part(String before, String column) {}
}
