package io.hereabouts.schemas.descriptor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.hereabouts.model.neighborhood.InvalidDescriptorException;
import java.io.InputStream;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The JSON Schema that we publish, against the parser. The schema never refuses what the parser takes; what it cannot
 * say (indexes of earlier stages, bytes, depth, geometry) only the parser refuses.
 */
class JsonSchemaTest {

    private final ObjectMapper json = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private final DescriptorParser parser = new DescriptorParser(DescriptorLimits.DEFAULT);
    private final JsonSchema schema = load();

    static Stream<String> good() {
        return Descriptors.good();
    }

    static Stream<Descriptors.Bad> bad() {
        return Descriptors.bad();
    }

    @ParameterizedTest
    @MethodSource("good")
    void shouldTakeWhatTheParserTakes(String text) throws JsonProcessingException {
        assertThat(schema.validate(json.readTree(text))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void shouldRefuseWhatASchemaCanRefuse(Descriptors.Bad bad) {
        JsonNode node;
        try {
            node = json.readTree(bad.json());
        } catch (JsonProcessingException e) {
            assertThat(bad.schema()).as("no JSON, so nothing for a schema").isFalse();
            return;
        }
        assertThat(schema.validate(node).isEmpty()).as(bad.json()).isEqualTo(!bad.schema());
    }

    @Test
    void shouldAgreeWithTheParserOnRandomDescriptors() throws JsonProcessingException {
        SplittableRandom random = new SplittableRandom(41);
        int taken = 0;
        for (int i = 0; i < 2_000; i++) {
            String text = Descriptors.random(random);
            boolean parses = parses(text);
            assertThat(schema.validate(json.readTree(text)).isEmpty()).as(text).isEqualTo(parses);
            taken += parses ? 1 : 0;
        }
        assertThat(taken).as("both answers must occur").isBetween(400, 1_600);
    }

    @Test
    void shouldHaveTheDefaultLimits() throws JsonProcessingException {
        JsonNode root = schema.getSchemaNode();
        assertThat(root.at("/properties/stages/maxItems").asInt()).isEqualTo(DescriptorLimits.DEFAULT.maxStages());
        assertThat(root.at("/$defs/stage/properties/references/maxItems").asInt())
                .isEqualTo(DescriptorLimits.DEFAULT.maxReferences());
        assertThat(root.at("/$defs/stage/properties/categories/maxItems").asInt())
                .isEqualTo(DescriptorLimits.DEFAULT.maxCategories());
    }

    private boolean parses(String text) {
        try {
            parser.parse(text);
            return true;
        } catch (InvalidDescriptorException e) {
            return false;
        }
    }

    private static JsonSchema load() {
        InputStream in = Objects.requireNonNull(DescriptorParser.class.getResourceAsStream("neighborhood.schema.json"));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(in);
    }
}
