package io.hereabouts.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.topic.TopicName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadingSortTest {

    @TempDir
    private Path folder;

    @Test
    void shouldSortInMemoryAndOverFilesAlikeAndLeaveNoFileBehind() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        List<Reading> readings = new ArrayList<>();
        for (int line = 2; line < 20_000; line++) {
            String id = "é" + random.nextInt(50);
            readings.add(new Reading(
                    random.nextLong(-1_000, 1_000),
                    random.nextInt(3),
                    line,
                    EntityId.of(id),
                    TopicName.parse("s/" + id),
                    "0123456789abcdef0123456789abcdef",
                    "{\"n\":" + line + "}"));
        }
        List<Reading> expected = readings.stream().sorted(Reading.BY_TIME).toList();

        assertThat(sorted(readings, 1L << 30, 0)).isEqualTo(expected);
        assertThat(sorted(readings, 1L << 20, 5)).isEqualTo(expected);
        assertThat(sorted(List.of(), 1L << 20, 0)).isEmpty();
        try (var left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    private List<Reading> sorted(List<Reading> readings, long memory, int files) throws IOException {
        try (ReadingSort sort = new ReadingSort(memory, folder)) {
            for (Reading reading : readings) {
                sort.add(reading);
            }
            List<Reading> all = new ArrayList<>();
            try (Readings sorted = sort.sorted()) {
                for (Reading r = sorted.next(); r != null; r = sorted.next()) {
                    all.add(r);
                }
            }
            assertThat(sort.runFiles()).isBetween(files, files + 2);
            return all;
        }
    }
}
