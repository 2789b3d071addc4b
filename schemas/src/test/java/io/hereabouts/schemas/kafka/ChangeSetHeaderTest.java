package io.hereabouts.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hereabouts.schemas.record.UndecodableException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeSetHeaderTest {

    @Test
    void shouldReadWhatItWrote() throws Exception {
        RecordHeaders headers = new RecordHeaders();
        new ChangeSetHeader(Long.MAX_VALUE, 50_000).addTo(headers);

        assertThat(ChangeSetHeader.of(headers)).contains(new ChangeSetHeader(Long.MAX_VALUE, 50_000));
        assertThat(ChangeSetHeader.of(new RecordHeaders())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0,1", "-1,1", "1,0", "1,-1"})
    void shouldRefuseNumbersThatCannotBe(long version, int records) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(
                "change-set",
                ByteBuffer.allocate(12).putLong(version).putInt(records).array());

        assertThatThrownBy(() -> ChangeSetHeader.of(headers)).isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> new ChangeSetHeader(version, records)).hasMessageContaining("expected at least 1");
    }

    @Test
    void shouldRefuseAnotherLength() {
        RecordHeaders headers = new RecordHeaders();
        headers.add("change-set", ByteBuffer.allocate(11).array());
        RecordHeaders none = new RecordHeaders();
        none.add("change-set", null);

        assertThatThrownBy(() -> ChangeSetHeader.of(headers)).hasMessageContaining("11 bytes, expected 12");
        assertThatThrownBy(() -> ChangeSetHeader.of(none)).hasMessageContaining("0 bytes, expected 12");
    }
}
