package io.hereabouts.replay;

import io.hereabouts.replay.BadLineException.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads lines of CSV that have the columns of a header. Immutable. */
final class CsvParser implements LineParser {

    private final LineSplitter splitter;
    private final Map<String, Integer> indexes;
    private final int width;
    private final boolean decimalComma;

    private CsvParser(LineSplitter splitter, Map<String, Integer> indexes, int width, boolean decimalComma) {
        this.splitter = splitter;
        this.indexes = indexes;
        this.width = width;
        this.decimalComma = decimalComma;
    }

    /**
     * @param needed columns that must be among those of the header
     * @throws IllegalArgumentException if one is missing, or two have one name
     */
    static CsvParser of(CsvFormat format, List<String> header, Set<String> needed) {
        Map<String, Integer> indexes = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            String name = header.get(i).strip();
            if (indexes.put(name, i) != null && !name.isEmpty()) {
                throw new IllegalArgumentException("two columns are named " + name);
            }
        }
        TreeSet<String> missing = new TreeSet<>(needed);
        missing.removeAll(indexes.keySet());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "has no column " + String.join(", ", missing) + "; its columns are " + String.join(", ", header));
        }
        return new CsvParser(format.splitter(), indexes, header.size(), format.decimalComma());
    }

    @Override
    public Row parse(String line) throws BadLineException {
        List<String> values = splitter.split(line);
        if (values.size() != width) {
            throw new BadLineException(Kind.COLUMNS, "has " + values.size() + " columns, expected " + width);
        }
        return new CsvRow(indexes, values, decimalComma);
    }
}
