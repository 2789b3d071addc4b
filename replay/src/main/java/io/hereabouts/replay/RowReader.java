package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import io.hereabouts.replay.BadLineException.Kind;
import io.hereabouts.replay.EventTimes.Oddity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads a file row by row and makes readings of them; what it cannot use it hands to the listener. Not thread-safe. */
final class RowReader implements AutoCloseable {

    private final ByteLines lines;
    private final Mapping mapping;
    private final LineSplitter splitter;
    private final CharsetDecoder decoder;
    private final PublicationIds ids;
    private final Listener listener;
    private final Map<String, Integer> indexes;
    private final int width;

    private RowReader(ByteLines lines, Mapping mapping, Path file, Listener listener) throws IOException {
        this.lines = lines;
        this.mapping = mapping;
        this.splitter = new LineSplitter(mapping.separator(), mapping.quote());
        this.decoder = mapping.encoding()
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        this.ids = new PublicationIds(file);
        this.listener = listener;
        List<String> header = mapping.header().isEmpty() ? firstLine(file) : mapping.header();
        this.width = header.size();
        this.indexes = new HashMap<>();
        for (int i = 0; i < header.size(); i++) {
            if (indexes.put(header.get(i).strip(), i) != null) {
                throw new IOException(file + ": two columns are named " + header.get(i));
            }
        }
        TreeSet<String> missing = new TreeSet<>(mapping.columns());
        missing.removeAll(indexes.keySet());
        if (!missing.isEmpty()) {
            throw new IOException(file + ": has no column " + String.join(", ", missing) + "; its columns are "
                    + String.join(", ", header));
        }
    }

    static RowReader open(Path file, Mapping mapping, Listener listener) throws IOException {
        ByteLines lines = ByteLines.open(file);
        try {
            return new RowReader(lines, mapping, file, listener);
        } catch (IOException | RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    private List<String> firstLine(Path file) throws IOException {
        byte[] first = lines.next();
        if (first == null) {
            throw new IOException(file + ": is empty, expected a line with the names of the columns");
        }
        try {
            return splitter.split(text(first));
        } catch (BadLineException e) {
            throw new IOException(file + ": line 1: " + e.getMessage(), e);
        }
    }

    /** The next row that becomes a publication, or null at the end. */
    @Nullable
    Reading next() throws IOException {
        while (true) {
            byte[] line = lines.next();
            if (line == null) {
                return null;
            }
            if (line.length == 0) {
                continue;
            }
            try {
                return reading(line);
            } catch (BadLineException e) {
                listener.badLine(lines.number(), e.kind(), String.valueOf(e.getMessage()));
            }
        }
    }

    /** Number of the line that was read last. */
    long line() {
        return lines.number();
    }

    private Reading reading(byte[] line) throws BadLineException {
        if (lines.tooLong()) {
            throw new BadLineException(Kind.TOO_LONG, "line is longer than " + ByteLines.MAX_BYTES + " bytes");
        }
        List<String> values = splitter.split(text(line));
        if (values.size() != width) {
            throw new BadLineException(Kind.COLUMNS, "has " + values.size() + " columns, expected " + width);
        }
        Row row = new Row(lines.number(), indexes, values);
        EventTimes.EventTime time = mapping.time().of(row);
        EntityId entity;
        TopicName topic;
        try {
            entity = EntityId.of(mapping.entity().fill(row));
        } catch (IllegalArgumentException e) {
            throw new BadLineException(Kind.ENTITY, String.valueOf(e.getMessage()));
        }
        try {
            topic = TopicName.parse(mapping.topic().fill(row));
        } catch (IllegalArgumentException e) {
            throw new BadLineException(Kind.TOPIC, String.valueOf(e.getMessage()));
        }
        if (topic.isReserved()) {
            throw new BadLineException(Kind.TOPIC, "topic name '" + topic + "' begins with $");
        }
        if (time.oddity() != Oddity.NONE) {
            listener.oddTime(lines.number(), time.oddity());
        }
        return new Reading(
                time.millis(),
                lines.number(),
                entity,
                topic,
                ids.of(lines.number(), entity, topic, line),
                mapping.payload().of(row, time.millis()));
    }

    private String text(byte[] line) throws BadLineException {
        boolean mark = lines.number() == 1
                && mapping.encoding().equals(StandardCharsets.UTF_8)
                && line.length >= 3
                && line[0] == (byte) 0xef
                && line[1] == (byte) 0xbb
                && line[2] == (byte) 0xbf;
        try {
            return decoder.decode(ByteBuffer.wrap(line, mark ? 3 : 0, line.length - (mark ? 3 : 0)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadLineException(Kind.ENCODING, "is not " + mapping.encoding());
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Told about rows that need to be told about. */
    interface Listener {
        void badLine(long line, Kind kind, String reason);

        void oddTime(long line, Oddity oddity);
    }
}
