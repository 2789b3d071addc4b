package io.hereabouts.perf.postgis;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.model.neighborhood.NeighborhoodDescriptor;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.locationtech.jts.geom.Envelope;

/**
 * One neighborhood to be resolved.
 *
 * @param reference id of a zone, or WKT of an area
 */
record Question(ResolveCase shape, String reference, NeighborhoodDescriptor descriptor) {

    private static final Category ZONE = Category.of("zone");
    private static final int CORNERS = 128;
    private static final double SHARE_OF_WORLD = 0.1;

    static Question of(ResolveCase shape, String reference) {
        return new Question(shape, reference, shape.descriptor(reference));
    }

    /** Draws references from a world. For one thread. */
    static final class Source {

        private final Random random;
        private final List<String> zones;
        private final Envelope box = new Envelope();

        Source(long seed, List<PhysicalEntity> world) {
            this.random = new Random(seed);
            this.zones = world.stream()
                    .filter(entity -> entity.categories().stream().anyMatch(ZONE::selects))
                    .map(entity -> entity.id().value())
                    .toList();
            world.forEach(entity -> box.expandToInclude(entity.geometry().getEnvelopeInternal()));
        }

        Question next(ResolveCase shape) {
            return next(shape, SHARE_OF_WORLD);
        }

        /** With an area, if the case wants one, of this share of the world's box. */
        Question next(ResolveCase shape, double share) {
            return Question.of(
                    shape,
                    switch (shape.reference()) {
                        case ZONE -> zones.get(random.nextInt(zones.size()));
                        case AREA -> area(share);
                    });
        }

        /** A round area with its centre in the middle half of the world's box. */
        private String area(double share) {
            double x = box.getMinX() + box.getWidth() * (0.25 + random.nextDouble() / 2);
            double y = box.getMinY() + box.getHeight() * (0.25 + random.nextDouble() / 2);
            double radius = Math.sqrt(share / Math.PI);
            StringBuilder wkt = new StringBuilder("POLYGON ((");
            for (int i = 0; i <= CORNERS; i++) {
                double angle = 2 * Math.PI * (i % CORNERS) / CORNERS;
                wkt.append(i == 0 ? "" : ", ")
                        .append(String.format(
                                Locale.ROOT,
                                "%.9f %.9f",
                                x + radius * box.getWidth() * Math.cos(angle),
                                y + radius * box.getHeight() * Math.sin(angle)));
            }
            return wkt.append("))").toString();
        }
    }
}
