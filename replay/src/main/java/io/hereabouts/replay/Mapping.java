package io.hereabouts.replay;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of files become publications: which entity, which topic name, when, and with what payload. Read from
 * JSON, see {@code docs/replay.md}. Immutable.
 *
 * @param format of the lines, null to go by the extension of each file
 * @param fileColumns columns out of the names of the files
 * @param entity makes the entity id
 * @param topic makes the topic name
 * @param time makes the event time
 * @param payload makes the payload
 * @param contentType MQTT content type, null for none
 * @param qos of the publications
 * @param csv how CSV files are written
 */
public record Mapping(
        @Nullable LineFormat format,
        FileColumns fileColumns,
        Template entity,
        Template topic,
        EventTimes time,
        PayloadForm payload,
        @Nullable String contentType,
        int qos,
        CsvFormat csv) {

    /**
     * Reads a mapping.
     *
     * @throws InvalidMappingException with everything that is wrong
     */
    public static Mapping parse(String json) throws InvalidMappingException {
        return MappingReader.read(json);
    }

    /** Reads a mapping from a file of UTF-8 JSON. */
    public static Mapping load(Path file) throws IOException, InvalidMappingException {
        return parse(Files.readString(file));
    }

    /** What the lines of a file are. */
    LineFormat formatOf(Path file) {
        return format == null ? LineFormat.of(file) : format;
    }

    /** How the lines of a file are encoded. */
    Charset encodingOf(Path file) {
        return formatOf(file) == LineFormat.CSV ? csv.encoding() : StandardCharsets.UTF_8;
    }

    /** The columns that the lines must have: all that are named, but for those out of the name of the file. */
    SortedSet<String> columns() {
        SortedSet<String> columns = new TreeSet<>(entity.columns());
        columns.addAll(topic.columns());
        columns.addAll(time.columns());
        columns.addAll(payload.columns());
        columns.removeAll(fileColumns.columns());
        return columns;
    }
}
