package io.hereabouts.resolver.world;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.util.List;
import java.util.stream.Collectors;

/** A small world and one descriptor to be resolved in it. Immutable. */
record Trial(List<PhysicalEntity> entities, NeighborhoodDescriptor descriptor) {

    Trial {
        entities = List.copyOf(entities);
    }

    /** The trial as a test of {@link WorldModelContract}, where {@code put} and {@code resolve} are. */
    String asTest(String name, List<String> expected) {
        StringBuilder out = new StringBuilder("    @Test\n    void " + name + "() throws Exception {\n");
        for (PhysicalEntity entity : entities) {
            String categories = entity.categories().stream().map(Category::path).collect(Collectors.joining("\", \""));
            out.append(String.format(
                    "        put(\"%s\", \"%s\", \"%s\");%n", entity.id(), categories, entity.geometry()));
        }
        String json = descriptor.canonicalText().replace("\\", "\\\\").replace("\"", "\\\"");
        String ids = expected.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(", "));
        return out + "        assertThat(resolve(\"" + json + "\"))\n                .containsExactly(" + ids
                + ");\n    }\n";
    }
}
