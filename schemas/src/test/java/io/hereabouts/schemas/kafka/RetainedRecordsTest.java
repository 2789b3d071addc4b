package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.record.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class RetainedRecordsTest {

    @Test
    void shouldReadBackWhatAKeyNames() throws Exception {
        RetainedKey key = new RetainedKey("a/|b/ü", "zone|1/a b");

        assertThat(RetainedKey.parse(key.bytes())).isEqualTo(key);
        assertThat(key.bytes()).isEqualTo("a/|b/ü\0zone|1/a b".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldRefuseWhatIsNoKey() {
        for (String text : List.of("", "a", "\0e", "a\0", "a\0e\0f")) {
            assertThatThrownBy(() -> RetainedKey.parse(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text)
                    .isInstanceOf(UndecodableException.class);
        }
        assertThatThrownBy(() -> RetainedKey.parse(new byte[] {'a', 0, (byte) 0xff}))
                .isInstanceOf(UndecodableException.class);
    }

    @Test
    void shouldOrderByGenerationThenOffset() {
        assertThat(List.of(
                        SourcePosition.UNKNOWN,
                        new SourcePosition(1, 0),
                        new SourcePosition(1, 7),
                        new SourcePosition(2, 3)))
                .isSorted();
    }

    @Test
    void shouldTravelInHeaders() {
        SourcePosition position = new SourcePosition(2, 1L << 40);

        assertThat(SourcePosition.of(new RecordHeaders(position.headers()))).isEqualTo(position);
        assertThat(SourcePosition.of(new RecordHeaders())).isEqualTo(SourcePosition.UNKNOWN);
        assertThat(SourcePosition.of(new RecordHeaders(
                        List.of(position.headers().get(0), new RecordHeader("offset", new byte[] {1})))))
                .isEqualTo(SourcePosition.UNKNOWN);
    }
}
