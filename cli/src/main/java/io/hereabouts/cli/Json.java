package io.hereabouts.cli;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Duration;
import java.time.Instant;

/** Results as JSON: the fields of records and lists, nothing computed; durations and instants as ISO 8601. */
final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .addModule(new SimpleModule()
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addSerializer(Instant.class, ToStringSerializer.instance))
            .build();

    private Json() {}

    static String of(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + value.getClass(), e);
        }
    }
}
