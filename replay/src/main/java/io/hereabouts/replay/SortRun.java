package io.hereabouts.replay;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Readings in a temporary file. Not thread-safe. */
final class SortRun implements Readings {

    private static final int BUFFER_BYTES = 32_768;

    private final DataInputStream in;

    private SortRun(DataInputStream in) {
        this.in = in;
    }

    static void write(Path file, List<Reading> readings) throws IOException {
        try (DataOutputStream out =
                new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES))) {
            for (Reading reading : readings) {
                write(out, reading);
            }
        }
    }

    static SortRun open(Path file) throws IOException {
        return new SortRun(new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)));
    }

    private static void write(DataOutputStream out, Reading r) throws IOException {
        out.writeLong(r.eventTime());
        out.writeInt(r.file());
        out.writeLong(r.line());
        for (String text : List.of(r.entity().value(), r.topic().value(), r.publicationId(), r.payload())) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(utf8.length);
            out.write(utf8);
        }
    }

    @Override
    public @Nullable Reading next() throws IOException {
        long eventTime;
        try {
            eventTime = in.readLong();
        } catch (EOFException e) {
            return null;
        }
        int file = in.readInt();
        long line = in.readLong();
        return new Reading(eventTime, file, line, EntityId.of(text()), TopicName.parse(text()), text(), text());
    }

    private String text() throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
