package io.hereabouts.bridge;

import io.hereabouts.model.interest.EdgeId;
import io.hereabouts.schemas.settings.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** An edge keeps its name: that of the settings, else one that is made once and kept in a folder. */
public final class EdgeIds {

    private EdgeIds() {}

    /**
     * The edge's name.
     *
     * @param folder where a name that was made is kept; made if it is missing
     */
    public static EdgeId of(StackSettings settings, Path folder) throws IOException {
        if (settings.edge().id().isPresent()) {
            return EdgeId.of(settings.edge().id().get());
        }
        Path file = folder.resolve("edge-id");
        if (!Files.exists(file)) {
            Files.createDirectories(folder);
            // moved into place whole: a crash leaves no empty name behind
            Path fresh = Files.createTempFile(folder, "edge-id", null);
            Files.writeString(fresh, "edge-" + UUID.randomUUID());
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return EdgeId.of(Files.readString(file).strip());
    }
}
