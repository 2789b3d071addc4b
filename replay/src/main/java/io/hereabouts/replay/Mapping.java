package io.hereabouts.replay;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the rows of a file become publications: which entity, which topic name, when, and with what payload. Read from
 * JSON, see {@code docs/replay.md}. Immutable.
 *
 * @param entity makes the entity id
 * @param topic makes the topic name
 * @param time makes the event time
 * @param payload makes the payload
 * @param contentType MQTT content type, null for none
 * @param qos of the publications
 * @param separator between columns
 * @param quote around columns that hold a separator
 * @param encoding of the file; line ends and separators are single ASCII bytes in it
 * @param header names of the columns where the file has no first line with them, else empty
 */
public record Mapping(
        Template entity,
        Template topic,
        EventTimes time,
        PayloadForm payload,
        @Nullable String contentType,
        int qos,
        char separator,
        char quote,
        Charset encoding,
        List<String> header) {

    public Mapping {
        header = List.copyOf(header);
    }

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

    /** The columns that a file must have. */
    SortedSet<String> columns() {
        SortedSet<String> columns = new TreeSet<>(entity.columns());
        columns.addAll(topic.columns());
        columns.addAll(time.columns());
        columns.addAll(payload.columns());
        return columns;
    }
}
