package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.replay.BadLineException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file row by row and makes readings of those in a window of event times; what it cannot use it hands to the
 * listener. Not thread-safe.
 */
final class RowReader implements Readings {

    private final Path file;
    private final int index;
    private final ByteLines lines;
    private final Mapping mapping;
    private final EventWindow window;
    private final Listener listener;
    private final Charset encoding;
    private final CharsetDecoder decoder;
    private final Map<String, String> ofName;
    private final PublicationIds ids;
    private final LineParser parser;
    private final OverlapOrder overlaps = new OverlapOrder();

    private RowReader(Path file, int index, ByteLines lines, Mapping mapping, EventWindow window, Listener listener)
            throws IOException {
        this.file = file;
        this.index = index;
        this.lines = lines;
        this.mapping = mapping;
        this.window = window;
        this.listener = listener;
        this.encoding = mapping.encodingOf(file);
        this.decoder = encoding.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        this.ofName = mapping.fileColumns().of(file);
        this.ids = new PublicationIds(file);
        this.parser = parser();
    }

    /**
     * @param index of the file among all
     * @throws InvalidFileException if it has not the columns that the mapping names
     */
    static RowReader open(Path file, int index, Mapping mapping, EventWindow window, Listener listener)
            throws IOException {
        ByteLines lines = ByteLines.open(file);
        try {
            return new RowReader(file, index, lines, mapping, window, listener);
        } catch (IOException | RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    private LineParser parser() throws IOException {
        if (mapping.formatOf(file) == LineFormat.NDJSON) {
            return new JsonParser();
        }
        List<String> header = mapping.csv().header();
        try {
            return CsvParser.of(mapping.csv(), header.isEmpty() ? firstLine() : header, mapping.columns());
        } catch (IllegalArgumentException e) {
            throw new InvalidFileException(file, String.valueOf(e.getMessage()));
        }
    }

    private List<String> firstLine() throws IOException {
        byte[] first = read();
        if (first == null) {
            throw new InvalidFileException(file, "is empty, expected a line with the names of the columns");
        }
        try {
            return mapping.csv().splitter().split(text(first));
        } catch (BadLineException e) {
            throw new InvalidFileException(file, "line 1: " + e.getMessage());
        }
    }

    @Override
    public @Nullable Reading next() throws IOException {
        for (byte[] line = read(); line != null; line = read()) {
            if (line.length == 0) {
                continue;
            }
            try {
                Reading reading = reading(line);
                if (reading != null) {
                    return reading;
                }
                listener.outside();
            } catch (BadLineException e) {
                listener.badLine(file, encoding, lines.number(), e, line);
            }
        }
        return null;
    }

    private byte @Nullable [] read() throws IOException {
        try {
            byte[] line = lines.next();
            if (line != null) {
                listener.line();
            }
            return line;
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read after line " + lines.number() + ": " + e.getMessage(), e);
        }
    }

    /** Null if it is outside of the window. */
    private @Nullable Reading reading(byte[] line) throws BadLineException {
        if (lines.tooLong()) {
            throw new BadLineException(
                    Kind.TOO_LONG, "line is longer than " + ByteLines.MAX_BYTES + " bytes, the rest is cut off");
        }
        Row row = parser.parse(text(line));
        if (!ofName.isEmpty()) {
            row = new RowOfFile(ofName, row);
        }
        EntityId entity = entity(row);
        EventTimes.EventTime time = mapping.time().of(row, entity, overlaps);
        if (!window.contains(time.millis())) {
            return null;
        }
        TopicName topic = topic(row);
        String payload = mapping.payload().of(row, time.millis());
        if (time.remark() != null) {
            listener.remark(file, lines.number(), time.remark());
        }
        String id = ids.of(lines.number(), entity, topic, line);
        return new Reading(time.millis(), index, lines.number(), entity, topic, id, payload);
    }

    private EntityId entity(Row row) throws BadLineException {
        String id = mapping.entity().fill(row);
        try {
            return EntityId.of(id);
        } catch (IllegalArgumentException e) {
            throw new BadLineException(Kind.ENTITY, String.valueOf(e.getMessage()));
        }
    }

    private TopicName topic(Row row) throws BadLineException {
        String name = mapping.topic().fill(row);
        TopicName topic;
        try {
            topic = TopicName.parse(name);
        } catch (IllegalArgumentException e) {
            throw new BadLineException(Kind.TOPIC, String.valueOf(e.getMessage()));
        }
        if (topic.isReserved()) {
            throw new BadLineException(Kind.TOPIC, "topic name '" + topic + "' begins with $");
        }
        return topic;
    }

    private String text(byte[] line) throws BadLineException {
        boolean mark = lines.number() == 1
                && encoding.equals(StandardCharsets.UTF_8)
                && line.length >= 3
                && line[0] == (byte) 0xef
                && line[1] == (byte) 0xbb
                && line[2] == (byte) 0xbf;
        try {
            return decoder.decode(ByteBuffer.wrap(line, mark ? 3 : 0, line.length - (mark ? 3 : 0)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadLineException(Kind.ENCODING, "is not " + encoding);
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Told about the lines of files. */
    interface Listener {

        /** Not interested. */
        Listener NONE = new Listener() {};

        /** A line was read. */
        default void line() {}

        /** A row is outside of the window. */
        default void outside() {}

        /** A line does not become a publication. */
        default void badLine(Path file, Charset encoding, long line, BadLineException why, byte[] text)
                throws IOException {}

        /** A row becomes a publication all the same. */
        default void remark(Path file, long line, Remark remark) {}
    }
}
