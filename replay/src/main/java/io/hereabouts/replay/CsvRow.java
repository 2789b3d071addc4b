package io.hereabouts.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One line of CSV. As JSON a value that reads as a JSON number becomes one, an empty one null, any other a string.
 *
 * @param indexes position of each column
 * @param values by position, as many as there are columns
 * @param decimalComma numbers have a comma where JSON has a point
 */
record CsvRow(Map<String, Integer> indexes, List<String> values, boolean decimalComma) implements Row {

    /** The exponent fits a {@link BigDecimal}. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d{1,8})?");

    /** Beyond this many characters it is text: reading a number takes time with the square of its length. */
    private static final int MAX_NUMBER = 1_000;

    @Override
    public String text(String column) {
        Integer index = indexes.get(column);
        if (index == null) {
            throw new IllegalArgumentException("no column " + column);
        }
        return values.get(index);
    }

    @Override
    public JsonNode json(String column) {
        String value = text(column);
        String bare = value.strip();
        String number = decimalComma ? bare.replace(',', '.') : bare;
        if (bare.isEmpty()) {
            return NullNode.getInstance();
        }
        return bare.length() <= MAX_NUMBER && NUMBER.matcher(number).matches()
                ? DecimalNode.valueOf(new BigDecimal(number))
                : TextNode.valueOf(value);
    }
}
