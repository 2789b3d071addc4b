package io.hereabouts.resolver.importing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.geom.Geometry;

/**
 * A CSV file (RFC 4180, any separator) with a header and a geometry in each row, plain or gzipped. Columns are what
 * properties are in GeoJSON.
 *
 * @param file where it is
 * @param layout its columns and notation
 * @param rules how its rows become entities
 */
public record CsvFile(Path file, CsvLayout layout, ImportRules rules) implements WorldFile {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    @Override
    public List<String> idPrefixes() {
        return rules.ids().prefixes();
    }

    @Override
    public FeatureReader open(ReadProgress progress) throws IOException {
        CountedFile bytes = new CountedFile(file, progress);
        Reader text = new BufferedReader(new InputStreamReader(
                bytes.content(),
                layout.encoding()
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
        try {
            text.mark(1);
            if (text.read() != BYTE_ORDER_MARK) {
                text.reset();
            }
            Rows rows = new Rows(this, text);
            rows.checkHeader();
            return new FeatureReader(rows, rules);
        } catch (IllegalArgumentException e) {
            text.close();
            throw new IOException(file + ", header: " + e.getMessage(), e);
        } catch (IOException e) {
            text.close();
            throw explained(e, 1);
        }
    }

    private IOException explained(IOException e, long line) {
        String problem = e instanceof CharacterCodingException || e.getCause() instanceof CharacterCodingException
                ? "bytes that are not " + layout.encoding() + ", try another encoding"
                : String.valueOf(e.getMessage());
        return new IOException(file + ", near line " + line + ": " + problem, e);
    }

    /** Goes through the rows with a cursor. */
    private static final class Rows implements RawFeature.Source {

        private final CsvFile csv;
        private final CSVParser parser;
        private final Iterator<CSVRecord> rows;

        Rows(CsvFile csv, Reader text) throws IOException {
            this.csv = csv;
            this.parser = CSVFormat.RFC4180
                    .builder()
                    .setDelimiter(csv.layout.separator())
                    .setHeader()
                    .setSkipHeaderRecord(true)
                    .setIgnoreEmptyLines(true)
                    .get()
                    .parse(text);
            this.rows = parser.iterator();
        }

        void checkHeader() {
            for (String column : csv.layout.place().columns()) {
                if (!parser.getHeaderMap().containsKey(column)) {
                    throw new IllegalArgumentException(
                            "no column '" + column + "', there are: " + String.join(", ", parser.getHeaderNames()));
                }
            }
        }

        @Override
        public @Nullable RawFeature next() throws IOException {
            long line = parser.getCurrentLineNumber() + 1;
            try {
                return rows.hasNext() ? feature("line " + line, rows.next()) : null;
            } catch (UncheckedIOException e) {
                throw csv.explained(new IOException(e.getMessage(), e.getCause()), line);
            }
        }

        private RawFeature feature(String position, CSVRecord row) {
            Map<String, String> columns = row.toMap();
            if (!row.isConsistent()) {
                return RawFeature.bad(
                        position,
                        null,
                        columns,
                        "row has " + row.size() + " columns, the header has "
                                + parser.getHeaderNames().size());
            }
            try {
                return RawFeature.of(position, null, columns, geometry(row));
            } catch (IllegalArgumentException e) {
                return RawFeature.bad(position, null, columns, String.valueOf(e.getMessage()));
            }
        }

        private Geometry geometry(CSVRecord row) {
            if (csv.layout.place() instanceof CsvLayout.LonLat columns) {
                return GeoJsonGeometry.point(degrees(columns.lon(), row), degrees(columns.lat(), row));
            }
            return WktGeometry.read(row.get(csv.layout.place().columns().get(0)));
        }

        private double degrees(String column, CSVRecord row) {
            String text = row.get(column).strip();
            try {
                return Double.parseDouble(csv.layout.decimalComma() ? text.replace(',', '.') : text);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("column '" + column + "' is not a number: '" + text + "'", e);
            }
        }

        @Override
        public void close() throws IOException {
            parser.close();
        }
    }
}
