package io.hereabouts.schemas.record;

import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.EntityId;
import io.hereabouts.model.entity.PhysicalEntity;
import io.hereabouts.schemas.avro.Entity;
import java.nio.ByteBuffer;
import java.util.TreeSet;
import org.locationtech.jts.io.ParseException;
import org.locationtech.jts.io.WKBReader;
import org.locationtech.jts.io.WKBWriter;

/** Physical entities as values of the Kafka topic {@code entities}. No state. */
public final class EntityRecords {

    private EntityRecords() {}

    /** The entity with its geometry as a record. */
    public static Entity toRecord(PhysicalEntity entity, long worldVersion) {
        return new Entity(
                worldVersion,
                entity.categories().stream().map(Category::path).toList(),
                ByteBuffer.wrap(new WKBWriter().write(entity.geometry())));
    }

    /**
     * The entity in a record that has a geometry.
     *
     * @throws UndecodableException if there is none, or it or the id or a category is not valid
     */
    public static PhysicalEntity fromRecord(String id, Entity record) throws UndecodableException {
        ByteBuffer wkb = record.getGeometry();
        if (wkb == null) {
            throw new UndecodableException("entity " + id + " has no geometry in Kafka: its world is in PostGIS");
        }
        byte[] bytes = new byte[wkb.remaining()];
        wkb.duplicate().get(bytes);
        TreeSet<Category> categories = new TreeSet<>();
        try {
            record.getCategories().forEach(c -> categories.add(Category.of(c)));
            return new PhysicalEntity(EntityId.of(id), new WKBReader().read(bytes), categories);
        } catch (ParseException | IllegalArgumentException e) {
            throw new UndecodableException("entity " + id + ": " + e.getMessage());
        }
    }
}
