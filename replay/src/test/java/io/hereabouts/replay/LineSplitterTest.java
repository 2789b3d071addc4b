package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.QuoteMode;
import org.junit.jupiter.api.Test;

class LineSplitterTest {

    private final LineSplitter splitter = new LineSplitter(';', '"');

    @Test
    void shouldSplitPlainAndQuotedValues() throws Exception {
        assertThat(splitter.split("a;b;c")).containsExactly("a", "b", "c");
        assertThat(splitter.split(";;")).containsExactly("", "", "");
        assertThat(splitter.split("")).containsExactly("");
        assertThat(splitter.split("\"a;b\";\"say \"\"hi\"\"\";\"\"")).containsExactly("a;b", "say \"hi\"", "");
        assertThat(splitter.split("5\" pipe;x")).containsExactly("5\" pipe", "x");
        assertThat(splitter.split("a;\"b\"")).containsExactly("a", "b");
    }

    @Test
    void shouldRefuseBrokenQuotesNamingTheColumn() {
        assertThatThrownBy(() -> splitter.split("a;\"b;c"))
                .isInstanceOf(BadLineException.class)
                .hasMessage("quote of column 2 is not closed");
        assertThatThrownBy(() -> splitter.split("\"a\"b;c"))
                .isInstanceOf(BadLineException.class)
                .hasMessage("column 1 goes on after its closing quote");
    }

    @Test
    void shouldAgreeWithCommonsCsvOnRandomLines() throws Exception {
        SplittableRandom random = new SplittableRandom(11);
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setDelimiter(';')
                .setQuote('"')
                .setQuoteMode(QuoteMode.MINIMAL)
                .get();
        for (int i = 0; i < 20_000; i++) {
            List<String> values = new ArrayList<>();
            for (int n = random.nextInt(1, 6); n > 0; n--) {
                StringBuilder value = new StringBuilder();
                for (int k = random.nextInt(6); k > 0; k--) {
                    value.append("ab;\" ,'ß".charAt(random.nextInt(8)));
                }
                values.add(value.toString());
            }
            String line = format.format(values.toArray());
            assertThat(splitter.split(line))
                    .as(line)
                    .isEqualTo(byCommonsCsv(format, line))
                    .isEqualTo(values);
        }
    }

    private static List<String> byCommonsCsv(CSVFormat format, String line) throws IOException {
        try (CSVParser parser = CSVParser.parse(line, format)) {
            List<String> values = new ArrayList<>();
            parser.getRecords().forEach(record -> record.forEach(values::add));
            return values.isEmpty() ? List.of("") : values;
        }
    }
}
