package io.hereabouts.schemas.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.avro.EdgeLease;
import io.hereabouts.schemas.avro.Owner;
import io.hereabouts.schemas.avro.Publication;
import io.hereabouts.schemas.avro.Resolved;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SchemaIdsTest {

    private static final int OLD = 100;
    private static final int NEW = 101;

    /** Records outlive the release that wrote them: what an id means must never change. */
    @Test
    void shouldNeverChangeTheSchemaOfAnId() throws Exception {
        Map<Integer, Long> fingerprints = new TreeMap<>();
        for (int id = 1; id <= Records.HIGHEST; id++) {
            fingerprints.put(id, SchemaNormalization.parsingFingerprint64(SchemaIds.TABLE.schemaOf(id)));
        }
        assertThat(fingerprints)
                .as("A schema has changed under an id that is in use. Leave this table as it is: give the schema's new "
                        + "form a new id in SchemaIds.CURRENT, and put its old form under the old id in "
                        + "SchemaIds.RETIRED; docs/kafka-topics.md has the rule for writers.")
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry(1, -8_614_225_774_880_150_254L),
                        Map.entry(2, 92_880_117_417_188_371L),
                        Map.entry(3, 1_642_327_745_921_394_468L),
                        Map.entry(4, 87_989_855_062_577_367L),
                        Map.entry(5, 7_880_541_375_343_791_684L),
                        Map.entry(6, -3_546_931_179_025_968_915L),
                        Map.entry(7, -3_023_618_803_979_473_619L),
                        Map.entry(8, 3_950_848_105_858_447_488L),
                        Map.entry(9, -432_178_933_068_339_896L),
                        Map.entry(10, 2_203_989_897_059_275_020L),
                        Map.entry(11, -4_906_042_682_292_947_706L),
                        Map.entry(12, 603_159_780_400_418_574L),
                        Map.entry(13, 6_184_325_974_077_373_055L),
                        Map.entry(14, 2_010_305_391_017_914_227L),
                        Map.entry(15, 1_861_360_933_121_446_035L),
                        Map.entry(16, 730_440_436_801_057_588L),
                        Map.entry(17, -7_571_773_366_206_133_656L),
                        Map.entry(18, -1_993_891_888_738_277_246L)));
    }

    @Test
    void shouldReadWhatARetiredSchemaWrote() throws Exception {
        Schema retired = withoutNullableFields();
        Framing.Codec codec = new Framing.Codec(withRetired(retired));

        Publication read = (Publication) codec.decode(writtenWith(retired));

        assertThat(read).isEqualTo(publication());
        assertThat(Framing.schemaId(codec.encode(read)))
                .as("written with the current schema")
                .isEqualTo(SchemaIds.PUBLICATION);
        assertThat(codec.decode(codec.encode(read))).isEqualTo(read);
    }

    @Test
    void shouldReadAnswersAndLeasesOfTheFirstGeneration() throws Exception {
        GenericData.Record resolved = new GenericData.Record(SchemaIds.TABLE.schemaOf(7));
        resolved.put("requestId", 5L);
        resolved.put("reasonCode", 0);
        resolved.put("reasonString", "");
        resolved.put("worldVersion", 3L);
        resolved.put("entityCount", 0);
        resolved.put("positions", List.of());
        assertThat(Framing.decode(written(7, resolved))).isEqualTo(new Resolved(5L, 0, "", 3L, 0, List.of(), 1));

        GenericData.Record lease = new GenericData.Record(SchemaIds.TABLE.schemaOf(11));
        lease.put("host", "h");
        lease.put("deliveriesTopic", "d");
        lease.put("generation", 1);
        lease.put("heartbeat", 9L);
        assertThat(Framing.decode(written(11, lease))).isEqualTo(new EdgeLease("h", "d", 1, 9L, 1, ""));
    }

    @Test
    void shouldFindTheTopicNameThatARetiredSchemaWrote() throws Exception {
        Schema retired = withoutNullableFields();
        boolean[] ids = withRetired(retired).idsOf(retired.getFullName());
        byte[] framed = writtenWith(retired);

        long range = PublicationBytes.topicRange(framed, ids);

        assertThat(new String(framed, (int) (range >>> 32), (int) range, StandardCharsets.UTF_8))
                .isEqualTo("city/parking");
        byte[] owner = Framing.encode(new Owner("x"));
        assertThatThrownBy(() -> PublicationBytes.topicRange(owner, ids)).isInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldNotKnowARetiredSchemaThatIsNotInTheTable() {
        assertThatThrownBy(() -> Framing.decode(writtenWith(withoutNullableFields())))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("unknown schema id 100");
    }

    /** What a neighbor that was upgraded first writes. */
    @Test
    void shouldReadWhatTheNextReleaseWritesAndWriteWhatThisOneDoes() throws Exception {
        SchemaTable table = withNext(withFieldBeforePayload("here"));
        Framing.Codec codec = new Framing.Codec(table);
        GenericData.Record written = new GenericData.Record(table.schemaOf(NEW));
        Publication expected = publication();
        for (Schema.Field field : Publication.getClassSchema().getFields()) {
            written.put(field.name(), expected.get(field.pos()));
        }
        written.put("from", "there");
        byte[] framed = written(NEW, written);

        assertThat(codec.decode(framed))
                .as("the field it does not know is left out")
                .isEqualTo(expected);
        assertThat(Framing.schemaId(codec.encode(expected))).isEqualTo(SchemaIds.PUBLICATION);
        long range = PublicationBytes.topicRange(
                framed, table.idsOf(Publication.getClassSchema().getFullName()));
        assertThat(new String(framed, (int) (range >>> 32), (int) range, StandardCharsets.UTF_8))
                .isEqualTo("city/parking");
    }

    @Test
    void shouldRefuseANextSchemaThatNeighborsCouldNotRead() {
        assertThatThrownBy(() -> withNext(withFieldBeforePayload(null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema id " + NEW + ": what the current Publication writes cannot be read")
                .hasMessageContaining("from");
        assertThatThrownBy(() -> withNext(changed(fields -> fields.remove(0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema id " + NEW + ": what the next Publication writes cannot be read")
                .hasMessageContaining("topic");
        assertThatThrownBy(() -> withNext(changed(fields -> Collections.swap(fields, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema id " + NEW
                        + " (next) begins with 'publicationId', expected 'topic' as in the current Publication");
    }

    @Test
    void shouldRefuseATableThatContradictsItself() {
        Map<Integer, Schema> current = Map.of(1, Owner.getClassSchema());
        assertThatThrownBy(() -> new SchemaTable(current, current, Map.of()))
                .hasMessage("schema id 1 is retired and something else");
        assertThatThrownBy(() -> new SchemaTable(current, Map.of(), current))
                .hasMessage("schema id 1 is next and something else");
        assertThatThrownBy(() -> new SchemaTable(current, Map.of(2, Publication.getClassSchema()), Map.of()))
                .hasMessageContaining("no schema id for io.hereabouts.schemas.avro.Publication");
    }

    private static SchemaTable withRetired(Schema retired) {
        return new SchemaTable(
                Map.of(SchemaIds.PUBLICATION, Publication.getClassSchema()), Map.of(OLD, retired), Map.of());
    }

    private static SchemaTable withNext(Schema next) {
        return new SchemaTable(
                Map.of(SchemaIds.PUBLICATION, Publication.getClassSchema()), Map.of(), Map.of(NEW, next));
    }

    /** A publication with one field more, whose payload is still the last. */
    private static Schema withFieldBeforePayload(@Nullable String value) {
        return changed(fields -> {
            Schema text = Schema.create(Schema.Type.STRING);
            fields.add(fields.size() - 1, new Schema.Field("from", text, null, value));
        });
    }

    private static Schema changed(Consumer<List<Schema.Field>> change) {
        Schema current = Publication.getClassSchema();
        List<Schema.Field> fields = new ArrayList<>();
        current.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
        change.accept(fields);
        return Schema.createRecord(current.getName(), null, current.getNamespace(), false, fields);
    }

    private static Publication publication() {
        return Publication.newBuilder()
                .setTopic("city/parking")
                .setPublicationId("1f")
                .setPublisher("p")
                .setEdge("e")
                .setQos(1)
                .setRetain(false)
                .setEventTime(42)
                .setUserProperties(List.of())
                .setPayload(ByteBuffer.wrap(new byte[] {7}))
                .build();
    }

    /** A publication as a release before the fields with defaults would have written it. */
    private static Schema withoutNullableFields() {
        Schema current = Publication.getClassSchema();
        List<Schema.Field> fields = current.getFields().stream()
                .filter(field -> !field.hasDefaultValue())
                .map(field -> new Schema.Field(field.name(), field.schema()))
                .toList();
        assertThat(fields).hasSizeLessThan(current.getFields().size());
        return Schema.createRecord(current.getName(), null, current.getNamespace(), false, fields);
    }

    private static byte[] writtenWith(Schema schema) throws Exception {
        GenericData.Record record = new GenericData.Record(schema);
        record.put("topic", "city/parking");
        record.put("publicationId", "1f");
        record.put("publisher", "p");
        record.put("edge", "e");
        record.put("qos", 1);
        record.put("retain", false);
        record.put("eventTime", 42L);
        record.put("userProperties", List.of());
        record.put("payload", ByteBuffer.wrap(new byte[] {7}));
        return written(OLD, record);
    }

    private static byte[] written(int id, GenericData.Record record) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(Framing.HEADER_BYTES)
                .put((byte) 0)
                .putInt(id)
                .array());
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<>(record.getSchema()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }
}
