package io.hereabouts.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {

    @TempDir
    Path folder;

    @Test
    void shouldBelongToOneStackAtATime() throws Exception {
        Path data = folder.resolve("a/b");
        try (DataFolder first = DataFolder.take(data)) {
            assertThat(first).isNotNull();
            assertThatThrownBy(() -> DataFolder.take(data))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(data.toString())
                    .hasMessageContaining("set 'data' to another folder");
        }
        try (DataFolder second = DataFolder.take(data)) {
            assertThat(second).isNotNull();
        }
    }
}
