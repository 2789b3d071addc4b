package io.hereabouts.resolver.exporting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.hereabouts.model.entity.Category;
import io.hereabouts.model.entity.PhysicalEntity;
import java.io.Closeable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;

/**
 * Writes entities as GeoJSON Features (RFC 7946), one a line: {@code id}, the geometry, and the property
 * {@code categories}, a list. Coordinates are written with all their digits, so that what is imported again is what was
 * exported. For one thread.
 */
public final class GeoJsonExport implements Closeable {

    /** How Features follow each other. */
    public enum Form {
        /** One FeatureCollection. */
        COLLECTION,
        /** A text sequence, RFC 8142. */
        SEQUENCE
    }

    private static final JsonFactory JSON = new JsonFactory();
    private static final char RECORD_SEPARATOR = 0x1E;

    private final Writer out;
    private final Form form;
    private boolean begun;

    /** @param out closed together with this */
    public GeoJsonExport(Writer out, Form form) {
        this.out = out;
        this.form = form;
    }

    /** Writes one more. */
    public void write(PhysicalEntity entity) throws IOException {
        if (form == Form.SEQUENCE) {
            out.write(RECORD_SEPARATOR + feature(entity) + "\n");
            return;
        }
        begin();
        out.write((begun ? ",\n" : "\n") + feature(entity));
        begun = true;
    }

    private void begin() throws IOException {
        if (!begun) {
            out.write("{\"type\":\"FeatureCollection\",\"features\":[");
        }
    }

    private static String feature(PhysicalEntity entity) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("type", "Feature");
            json.writeStringField("id", entity.id().value());
            json.writeFieldName("properties");
            json.writeStartObject();
            json.writeArrayFieldStart("categories");
            for (Category category : entity.categories()) {
                json.writeString(category.path());
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeFieldName("geometry");
            GeoJsonGeometryText.write(entity.geometry(), json);
            json.writeEndObject();
        }
        return text.toString();
    }

    /** Ends the collection. */
    @Override
    public void close() throws IOException {
        try (out) {
            if (form == Form.COLLECTION) {
                begin();
                out.write("\n]}\n");
            }
        }
    }
}
