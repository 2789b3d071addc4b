package io.hereabouts.schemas.record;

import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;

/**
 * Schema ids and their schemas. Writers use the current schemas only; readers know the retired and the next ones too, each
 * of which has a current schema of the same full name that its records are read as. Immutable.
 */
final class SchemaTable {

    private final Map<Integer, Schema> byId = new HashMap<>();
    private final Map<String, Integer> currentIds = new HashMap<>();

    SchemaTable(Map<Integer, Schema> current, Map<Integer, Schema> retired, Map<Integer, Schema> next) {
        byId.putAll(current);
        current.forEach((id, schema) -> {
            if (currentIds.put(schema.getFullName(), id) != null) {
                throw new IllegalArgumentException("two current schemas of " + schema.getFullName());
            }
        });
        retired.forEach((id, schema) -> readOnly(id, schema, "retired"));
        next.forEach((id, schema) -> {
            readOnly(id, schema, "next");
            // the release that writes it has to read what this one writes
            requireReadable(id, "current", schema, currentOf(schema));
        });
    }

    private void readOnly(int id, Schema schema, String kind) {
        if (byId.put(id, schema) != null) {
            throw new IllegalArgumentException("schema id " + id + " is " + kind + " and something else");
        }
        Schema current = currentOf(schema);
        requireReadable(id, kind, current, schema);
        if (!current.getFields().get(0).name().equals(schema.getFields().get(0).name())) {
            throw new IllegalArgumentException("schema id " + id + " (" + kind + ") begins with '"
                    + schema.getFields().get(0).name() + "', expected '"
                    + current.getFields().get(0).name() + "' as in the current " + current.getName());
        }
    }

    private static void requireReadable(int id, String kind, Schema reader, Schema writer) {
        SchemaPairCompatibility found = SchemaCompatibility.checkReaderWriterCompatibility(reader, writer);
        if (found.getType() != SchemaCompatibilityType.COMPATIBLE) {
            throw new IllegalArgumentException("schema id " + id + ": what the " + kind + " " + writer.getName()
                    + " writes cannot be read, expected a default for each field that only the reader has: "
                    + found.getResult().getIncompatibilities());
        }
    }

    /** The id that a record of this name is written with. */
    int idOf(Schema schema) {
        Integer id = currentIds.get(schema.getFullName());
        if (id == null) {
            throw new IllegalArgumentException("no schema id for " + schema.getFullName());
        }
        return id;
    }

    /** The schema that a record with this id was written with. */
    Schema schemaOf(int id) throws UndecodableException {
        Schema schema = byId.get(id);
        if (schema == null) {
            throw new UndecodableException("unknown schema id " + id);
        }
        return schema;
    }

    /** The current schema of the writer's name. */
    Schema currentOf(Schema writer) {
        Schema current = byId.get(idOf(writer));
        return current == null ? writer : current;
    }

    /** True at each id, current or not, of this full name; as long as the highest of them needs. */
    boolean[] idsOf(String fullName) {
        int highest = -1;
        for (Map.Entry<Integer, Schema> entry : byId.entrySet()) {
            if (entry.getValue().getFullName().equals(fullName)) {
                highest = Math.max(highest, entry.getKey());
            }
        }
        boolean[] ids = new boolean[highest + 1];
        byId.forEach((id, schema) -> {
            if (schema.getFullName().equals(fullName)) {
                ids[id] = true;
            }
        });
        return ids;
    }
}
