package io.hereabouts.replay;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Columns out of the name of a file: the named groups of a regular expression that the name, without folder and
 * {@code .gz}, must match as a whole. Immutable.
 */
public final class FileColumns {

    /** Nothing out of any name. */
    static final FileColumns NONE = new FileColumns(Pattern.compile("(?s).*"), Set.of());

    private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");

    private final Pattern pattern;
    private final Set<String> columns;

    private FileColumns(Pattern pattern, Set<String> columns) {
        this.pattern = pattern;
        this.columns = Set.copyOf(columns);
    }

    /**
     * Reads a regular expression of {@link Pattern}.
     *
     * @throws IllegalArgumentException if it is none, or has no named group
     */
    static FileColumns parse(String regex) {
        try {
            Pattern pattern = Pattern.compile(regex);
            Set<String> groups = new TreeSet<>();
            Matcher matcher = GROUP.matcher(regex);
            while (matcher.find()) {
                groups.add(matcher.group(1));
                // what only looks like a group cannot be referred to
                var unused = Pattern.compile(regex + "\\k<" + matcher.group(1) + ">");
            }
            if (groups.isEmpty()) {
                throw new IllegalArgumentException("'" + regex + "' has no named group such as (?<id>\\d+)");
            }
            return new FileColumns(pattern, groups);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'" + regex + "' is not a regular expression: " + e.getDescription() + " at index " + e.getIndex(),
                    e);
        }
    }

    /** The name without folder and {@code .gz}. */
    static String bareName(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".gz") ? name.substring(0, name.length() - ".gz".length()) : name;
    }

    /** The columns of every file. */
    Set<String> columns() {
        return columns;
    }

    /**
     * The values for a file; a group that took no part is empty.
     *
     * @throws IllegalArgumentException if its name does not match
     */
    Map<String, String> of(Path file) {
        Matcher matcher = pattern.matcher(bareName(file));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "the name " + bareName(file) + " does not match fileName '" + pattern + "'");
        }
        Map<String, String> values = new TreeMap<>();
        for (String column : columns) {
            String value = matcher.group(column);
            values.put(column, value == null ? "" : value);
        }
        return values;
    }
}
