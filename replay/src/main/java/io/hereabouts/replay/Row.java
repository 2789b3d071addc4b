package io.hereabouts.replay;

import java.util.List;
import java.util.Map;

/**
 * The values of one line.
 *
 * @param line number in the file, from 1
 * @param indexes position of each column
 * @param values by position, as many as there are columns
 */
record Row(long line, Map<String, Integer> indexes, List<String> values) {

    String value(String column) {
        Integer index = indexes.get(column);
        if (index == null) {
            throw new IllegalArgumentException("no column " + column);
        }
        return values.get(index);
    }
}
