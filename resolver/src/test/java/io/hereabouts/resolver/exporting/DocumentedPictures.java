package io.hereabouts.resolver.exporting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pictures in docs/images. With {@code -Dhereabouts.pictures=write} they are written instead of compared. No state. */
final class DocumentedPictures {

    static final Path DOCS = Path.of("../docs");

    private DocumentedPictures() {}

    static void shouldBe(String svg, String name) throws IOException {
        Path file = DOCS.resolve("images").resolve(name + ".svg");
        if (System.getProperty("hereabouts.pictures", "").equals("write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, svg);
        }
        assertThat(file)
                .as("made anew by -Dhereabouts.pictures=write")
                .content()
                .isEqualTo(svg);
    }
}
